/**
 * The merge of an update into an account: what is missing stays, lists are replaced, null clears, and metadata merge by
 * key, where "" clears as well. Pure; nothing of the two arguments is changed.
 */
import type { AccountBody } from '../schema/bodies.js';
import { CONFIGURATIONS, type ConfigurationName } from '../schema/enums.js';
import { readCapabilities } from './capability-names.js';
import type { AccountState, Capabilities, Configuration } from './state.js';

type Values = Readonly<Record<string, unknown>>;

/** Members where "" clears. */
const CLEARED_BY_EMPTY = new Set(['metadata', 'payout_methods']);

/** `now` is the instant at which a configuration or a capability begins. */
export function mergeAccount(state: AccountState, body: AccountBody, now: Date): AccountState {
  const { account_token: _, include: _include, configuration, ...rest } = body;
  const { configuration: stored, ...fields } = state;
  const merged = merge(fields as Values, rest as Values) as Omit<AccountState, 'configuration'>;
  const configurations = Object.fromEntries(
    CONFIGURATIONS.flatMap((name) => {
      const settings = mergeConfiguration(stored[name], configuration?.[name], now);
      return settings === undefined ? [] : [[name, settings]];
    }),
  ) as AccountState['configuration'];
  return { ...merged, metadata: merged.metadata ?? {}, configuration: configurations };
}

/** Merges `patch` into `values`, objects deeply. */
export function merge(values: Values, patch: Values, clearedByEmpty = false): Values {
  const merged = new Map(Object.entries(values));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null || (value === '' && clearedByEmpty)) merged.delete(name);
    else if (isObject(value)) {
      const before = merged.get(name);
      merged.set(name, merge(isObject(before) ? before : {}, value, CLEARED_BY_EMPTY.has(name)));
    } else merged.set(name, Array.isArray(value) ? value.map(withoutNulls) : value);
  }
  return Object.fromEntries(merged);
}

function mergeConfiguration(
  stored: Configuration | undefined,
  patch: NonNullable<AccountBody['configuration']>[ConfigurationName],
  now: Date,
): Configuration | undefined {
  if (patch === undefined) return stored;
  const { applied: wanted, capabilities: asked, ...settings } = patch;
  const { applied: since = now.toISOString(), capabilities = {}, ...before } = stored ?? {};
  const applied = wanted === false ? null : wanted === true ? (since ?? now.toISOString()) : since;
  return {
    ...withoutTransient(merge(before, settings as Values)),
    applied,
    capabilities:
      applied === null
        ? unrequested(capabilities)
        : mergeCapabilities(capabilities, readCapabilities(asked), now),
  } as Configuration;
}

function mergeCapabilities(
  before: Capabilities,
  asked: Readonly<Record<string, boolean | undefined>>,
  now: Date,
): Capabilities {
  const after = new Map(Object.entries(before));
  for (const [name, requested] of Object.entries(asked)) {
    const stored = after.get(name);
    if (requested === undefined || stored?.requested === requested) continue;
    after.set(name, { requested, since: now.toISOString() });
  }
  return Object.fromEntries(after);
}

function unrequested(capabilities: Capabilities): Capabilities {
  return Object.fromEntries(
    Object.entries(capabilities).map(([name, { since }]) => [name, { requested: false, since }]),
  );
}

/** `validate_location` says how one update is checked and is not kept. */
function withoutTransient(settings: Values): Values {
  const tax = settings['automatic_indirect_tax'];
  if (!isObject(tax) || !('validate_location' in tax)) return settings;
  const { validate_location: _, ...kept } = tax;
  return { ...settings, automatic_indirect_tax: kept };
}

function withoutNulls(value: unknown): unknown {
  return isObject(value) ? merge({}, value) : value;
}

export function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
