/**
 * How to provoke each error code: executed by the tests, and printed on the page for users. `$name` in a path or body
 * is replaced by the id that the step of this name returned.
 */
import type { ContractCode } from '../errors/errors.js';
import type { Settings } from '../schema/config.js';

export interface Recipe {
  readonly code: ContractCode;
  /** Overrides of the healthy platform settings. */
  readonly platform?: Partial<Settings>;
  readonly livemode?: boolean;
  /** Earlier requests, each answered with 200 unless stated otherwise. */
  readonly before?: readonly Step[];
  readonly request: Step;
  /** Members of the error besides code, message and those in the table. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** The config, if the platform's settings are not enough. */
  readonly config?: object;
}

export interface Step {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The name by which later steps refer to the id in the answer. */
  readonly name?: string;
}

const ACCOUNTS = '/v2/core/accounts';

export const create = (body: object, headers?: Step['headers']): Step => ({
  method: 'POST',
  path: ACCOUNTS,
  body,
  ...(headers && { headers }),
});

/** The account that the recipe is about. */
export const account = (body: object): Step => ({ ...create(body), name: 'account' });

export const update = (body: object, headers?: Step['headers']): Step => ({
  method: 'POST',
  path: `${ACCOUNTS}/$account`,
  body,
  ...(headers && { headers }),
});

export const retrieve = (id: string): Step => ({ method: 'GET', path: `${ACCOUNTS}/${id}` });

export const fixture = (body: object): Step => ({
  method: 'POST',
  path: '/v2/test_helpers/fixtures',
  body,
});

export const testClock = (name = 'clock'): Step => ({
  method: 'POST',
  path: '/v2/test_helpers/test_clocks',
  body: { frozen_time: '2026-01-01T00:00:00.000Z' },
  name,
});

const APPLICATION = { fees_collector: 'application', losses_collector: 'application' };

/** A merchant in a country, with the recipe's specifics. */
export const merchant = (
  country: string,
  settings: object = {},
  rest: Record<string, unknown> = {},
): object => ({
  identity: { country, ...(rest['identity'] as object | undefined) },
  configuration: { merchant: settings },
  ...without(rest, 'identity'),
});

export const recipient = (
  country: string,
  settings: object = {},
  rest: Record<string, unknown> = {},
): object => ({
  identity: { country, ...(rest['identity'] as object | undefined) },
  configuration: { recipient: settings },
  ...without(rest, 'identity'),
});

/** A merchant for whose losses and requirements the application is responsible. */
export const custom = (country: string, rest: Record<string, unknown> = {}): object =>
  merchant(country, {}, { dashboard: 'none', defaults: { responsibilities: APPLICATION }, ...rest });

export const byApplication = { responsibilities: APPLICATION };

/** A merchant whose card payments are active. */
export const ACTIVE = {
  contact_email: 'kim@example.com',
  contact_phone: '+15555550123',
  dashboard: 'full',
  identity: {
    country: 'US',
    entity_type: 'company',
    business_details: {
      registered_name: 'Kim and Sons',
      structure: 'llc',
      address: {
        country: 'US',
        line1: '1 Main Street',
        city: 'Springfield',
        state: 'IL',
        postal_code: '62701',
      },
      id_numbers: [{ type: 'us_ein', value: '000000000' }],
    },
  },
  defaults: { currency: 'usd', profile: { business_url: 'https://example.com' } },
  configuration: { merchant: { mcc: '5734', capabilities: { card_payments: { requested: true } } } },
};

export const requested = (...names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, { requested: true }]));

function without(values: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));
}
