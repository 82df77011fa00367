/** Who may call which models, and how much: the rules of the config and those that were made by API. */
import { ownerOf, principalId, type Principal } from 'plugboard/sdk';
import { anyOf, globOf, type Glob } from '../glob.js';
import type { AllowanceRule } from './schema.js';

export type Unit = 'requests' | 'tokens' | 'usd';
export type Per = 'minute' | 'day' | 'month';

/** What may be used of something in a window. Money is counted in billionths of a dollar: those are whole numbers. */
export interface Limit {
  /** Tells it from the other limits of its rule. */
  readonly name: string;
  readonly unit: Unit;
  readonly per: Per;
  readonly most: number;
  readonly models: Glob;
  /** Part of `most`, from which on the log says how much is used. */
  readonly warnAt: number;
}

export interface Rule {
  readonly name: string;
  /** Whose use is counted together: a key, a tenant, a person; undefined if the rule excludes this caller. */
  subjectOf(caller: Principal): string | undefined;
  /** The models that may be called; undefined: all. */
  readonly allowed: Glob | undefined;
  readonly limits: readonly Limit[];
  /** Streams that may be open at once; undefined: any number. */
  readonly streams: number | undefined;
}

export const NANO = 1e9;

export function ruleOf(name: string, rule: AllowanceRule): Rule {
  const { key, tenant, person, models, limits, streams, budget } = rule;
  const perMinute = limits.flatMap(({ models: of, requests, tokens }, at): Limit[] => {
    const common = { per: 'minute', models: anyOf(of), warnAt: Infinity } as const;
    return [
      ...(requests === undefined
        ? []
        : [{ ...common, name: `${at}`, unit: 'requests' as const, most: requests }]),
      ...(tokens === undefined ? [] : [{ ...common, name: `${at}`, unit: 'tokens' as const, most: tokens }]),
    ];
  });
  const money: Limit[] =
    budget === undefined
      ? []
      : [
          {
            name: 'budget',
            unit: 'usd',
            per: budget.per,
            most: Math.round(budget.usd * NANO),
            models: () => true,
            warnAt: budget.warnAt,
          },
        ];
  return {
    name,
    subjectOf: subjectBy({ key, tenant, person }),
    allowed: models === undefined ? undefined : anyOf(models),
    limits: [...perMinute, ...money],
    streams,
  };
}

type About = Pick<AllowanceRule, 'key' | 'tenant' | 'person'>;

function subjectBy({ key, tenant, person }: { [K in keyof About]: About[K] | undefined }): Rule['subjectOf'] {
  if (key !== undefined) {
    const glob = globOf(key);
    return (caller) =>
      caller.kind === 'key' && (glob(caller.id) || glob(caller.name)) ? `key:${caller.id}` : undefined;
  }
  if (tenant !== undefined) {
    const glob = globOf(tenant);
    return (caller) => (glob(ownerOf(caller)) ? `tenant:${ownerOf(caller)}` : undefined);
  }
  if (person !== undefined) {
    const glob = globOf(person);
    const isPerson = ({ kind }: Principal): boolean =>
      kind === 'person' || kind === 'user' || kind === 'session';
    return (caller) =>
      isPerson(caller) && glob(principalId(caller)) ? `person:${principalId(caller)}` : undefined;
  }
  return (caller) => `caller:${principalId(caller)}`;
}

const MINUTE = 60_000;

/** When the window that `now` is in began and ends, in UTC. */
export function windowOf(per: Per, now: number): { readonly began: number; readonly ends: number } {
  if (per === 'minute') {
    const began = now - (now % MINUTE);
    return { began, ends: began + MINUTE };
  }
  const date = new Date(now);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return per === 'day'
    ? { began: Date.UTC(year, month, day), ends: Date.UTC(year, month, day + 1) }
    : { began: Date.UTC(year, month), ends: Date.UTC(year, month + 1) };
}
