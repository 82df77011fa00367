/**
 * Merges an update into an account: missing members stay, lists are replaced, null clears, and metadata merge by key,
 * where "" clears too. Pure; the arguments are not modified.
 */
import type { AccountBody } from '../schema/bodies.js';
import { CONFIGURATIONS, type ConfigurationName } from '../schema/enums.js';
import { readCapabilities } from './capability-names.js';
import type { AccountState, Capabilities, Capability, Configuration } from './state.js';

type Values = Readonly<Record<string, unknown>>;

/** Members where "" clears. */
const CLEARED_BY_EMPTY = new Set(['metadata', 'payout_methods']);

/** Members of a body that are not stored as they are. */
const TRANSIENT = new Set(['account_token', 'include', 'configuration']);
const NONE: ReadonlySet<string> = new Set();

/** `now`: when a configuration or a capability begins. */
export function mergeAccount(state: AccountState, body: AccountBody, now: Date): AccountState {
  const merged = merge(state as unknown as Values, body as Values, TRANSIENT) as unknown as AccountState;
  const configuration: Record<string, Configuration> = {};
  const instant = now.toISOString();
  for (const name of CONFIGURATIONS) {
    const settings = mergeConfiguration(state.configuration[name], body.configuration?.[name], instant);
    if (settings !== undefined) configuration[name] = settings;
  }
  return { ...merged, metadata: merged.metadata ?? {}, configuration };
}

/** Merges `patch` into `values`, recursively; members in `without` stay. */
export function merge(values: Values, patch: Values, without = NONE, clearedByEmpty = false): Values {
  const merged: Record<string, unknown> = { ...values };
  for (const name of Object.keys(patch)) {
    const value = patch[name];
    if (without.has(name)) continue;
    if (value === null || (value === '' && clearedByEmpty)) delete merged[name];
    else if (isObject(value)) {
      const before = Object.hasOwn(merged, name) ? merged[name] : undefined;
      set(merged, name, merge(isObject(before) ? before : {}, value, NONE, CLEARED_BY_EMPTY.has(name)));
    } else set(merged, name, Array.isArray(value) ? value.map(withoutNulls) : value);
  }
  return merged;
}

/** `__proto__` is a name like any other. */
function set(values: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') values[name] = value;
  else Object.defineProperty(values, name, { value, writable: true, enumerable: true, configurable: true });
}

function mergeConfiguration(
  stored: Configuration | undefined,
  patch: NonNullable<AccountBody['configuration']>[ConfigurationName],
  now: string,
): Configuration | undefined {
  if (patch === undefined) return stored;
  const { applied: since = now, capabilities = {} } = stored ?? {};
  const applied = patch.applied === false ? null : patch.applied === true ? (since ?? now) : since;
  return {
    ...withoutTransient(merge((stored ?? {}) as Values, patch as Values, OWN_MERGE)),
    applied,
    capabilities:
      applied === null
        ? unrequested(capabilities)
        : mergeCapabilities(capabilities, readCapabilities(patch.capabilities), now),
  } as Configuration;
}

/** Members of a configuration with their own merge. */
const OWN_MERGE = new Set(['applied', 'capabilities']);

function mergeCapabilities(
  before: Capabilities,
  asked: Readonly<Record<string, boolean | undefined>>,
  now: string,
): Capabilities {
  const after: Record<string, Capability> = { ...before };
  for (const [name, requested] of Object.entries(asked))
    if (requested !== undefined && after[name]?.requested !== requested)
      after[name] = { requested, since: now };
  return after;
}

function unrequested(capabilities: Capabilities): Capabilities {
  return Object.fromEntries(
    Object.entries(capabilities).map(([name, { since }]) => [name, { requested: false, since }]),
  );
}

/** `validate_location` applies to one update and is not stored. */
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
