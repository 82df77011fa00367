/** An allowance as the server has it, and as a form of single fields. */
import type { ObjectSchema } from 'plugboard/console';

export const PATH = '/api/allowances';

export interface Allowance {
  readonly name: string;
  readonly key?: string;
  readonly tenant?: string;
  readonly person?: string;
  readonly models?: readonly string[];
  readonly limits: readonly Limit[];
  readonly streams?: number;
  readonly budget?: { readonly usd: number; readonly per: 'day' | 'month'; readonly warnAt: number };
  readonly source: 'config' | 'api';
}

interface Limit {
  readonly models: readonly string[];
  readonly requests?: number;
  readonly tokens?: number;
}

const WHO = ['key', 'tenant', 'person'] as const;

export const FORM: ObjectSchema = {
  properties: {
    name: { type: 'string', maxLength: 100 },
    about: { enum: ['everybody', ...WHO], default: 'key' },
    who: { type: 'string', maxLength: 200 },
    models: { type: 'array', items: { type: 'string' } },
    usd: { type: 'number', minimum: 0, maximum: 1_000_000 },
    per: { enum: ['day', 'month'], default: 'month' },
    requests: { type: 'integer', minimum: 0 },
    tokens: { type: 'integer', minimum: 0 },
    streams: { type: 'integer', minimum: 0 },
  },
  required: ['name', 'about'],
};

/** Whom it is about: undefined for every caller. */
export function whoOf(allowance: Allowance): { about: (typeof WHO)[number]; who: string } | undefined {
  for (const about of WHO) {
    const who = allowance[about];
    if (who !== undefined) return { about, who };
  }
  return undefined;
}

/** A form has one limit, that of all models; others stay as they are. */
function isOfAll({ models }: Limit): boolean {
  return models.length === 1 && models[0] === '*';
}

export function formOf(allowance: Allowance): Record<string, unknown> {
  const { name, models, limits, streams, budget } = allowance;
  const limit = limits.find(isOfAll);
  const fields = {
    name,
    ...(whoOf(allowance) ?? { about: 'everybody' }),
    models,
    usd: budget?.usd,
    per: budget?.per,
    requests: limit?.requests,
    tokens: limit?.tokens,
    streams,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The body of the write. `before`: what it takes the place of. */
export function bodyOf(form: Readonly<Record<string, unknown>>, before: Allowance | undefined): object {
  const { about, who, models, usd, per, requests, tokens, streams } = form;
  const limit = given({ requests, tokens });
  const others = (before?.limits ?? []).filter((one) => !isOfAll(one));
  return given({
    ...(about !== 'everybody' && { [String(about)]: isEmpty(who) ? '*' : who }),
    models: Array.isArray(models) && models.length > 0 ? models : undefined,
    limits: Object.keys(limit).length === 0 ? others : [{ models: ['*'], ...limit }, ...others],
    streams,
    budget: isEmpty(usd) ? undefined : given({ ...before?.budget, usd, per }),
  });
}

function given(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
