/** An account as it is stored. */
import type { Document } from 'plugboard/sdk';
import type { AccountBody } from '../schema/bodies.js';
import { CONFIGURATIONS, type ConfigurationName } from '../schema/enums.js';

/** A body without its nulls: what was set and not cleared. */
export type Present<T> = T extends readonly (infer I)[]
  ? readonly Present<I>[]
  : T extends object
    ? { readonly [K in keyof T]?: Present<NonNullable<T[K]>> }
    : T;

export type Identity = NonNullable<Present<NonNullable<AccountBody['identity']>>>;
export type Defaults = NonNullable<Present<NonNullable<AccountBody['defaults']>>>;
type Settings = NonNullable<AccountBody['configuration']>;

/** `applied`: since when a configuration is in use; null while deactivated. */
export type Configuration<N extends ConfigurationName = ConfigurationName> = Omit<
  Present<NonNullable<Settings[N]>>,
  'applied' | 'capabilities'
> & { readonly applied: string | null; readonly capabilities: Capabilities };

/** By dotted name, e.g. `bank_accounts.ach`. */
export type Capabilities = Readonly<Record<string, Capability>>;

export interface Capability {
  readonly requested: boolean;
  /** When it was requested; due dates of requirements count from here. */
  readonly since: string;
}

export interface AccountState {
  readonly contact_email?: string;
  readonly contact_phone?: string;
  readonly dashboard?: 'express' | 'full' | 'none';
  readonly display_name?: string;
  readonly defaults?: Defaults;
  readonly identity?: Identity;
  readonly metadata: Readonly<Record<string, string>>;
  readonly configuration: { readonly [N in ConfigurationName]?: Configuration<N> };
  /** Its persons, without their data; undefined if persons were never asked for or added. */
  readonly persons?: readonly PersonSummary[];
  /** When a capability of a merchant or recipient first became active. */
  readonly activated_at?: string;
}

/** What requirements need to know of a person; the rest is sealed and stored separately. */
export interface PersonSummary {
  readonly id: string;
  /** The person's roles. */
  readonly roles: readonly PersonRole[];
  /** Paths of the data given, such as `address.line1`; never values. */
  readonly has: readonly string[];
}

export const PERSON_ROLES = [
  'authorizer',
  'director',
  'executive',
  'legal_guardian',
  'owner',
  'representative',
] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

export const EMPTY: AccountState = { metadata: {}, configuration: {} };

export interface AccountDocument extends Document {
  readonly platform: string;
  readonly createdAt: Date;
  readonly closed: boolean;
  /** Counts the writes: of two concurrent updates, the second sees the first. */
  readonly version: number;
  /** Its listings, see `lists.ts`. */
  readonly lists: readonly string[];
  /** JSON of an `AccountState`: callers choose names in it, and stores treat `$` and dots specially. */
  readonly state: string;
  /** The request that created it, if that had an idempotency key. */
  readonly creation?: Creation;
}

export interface Creation {
  readonly fingerprint: string;
  readonly answer: string;
  readonly at: Date;
}

/** The configurations in use, sorted. */
export function appliedOf({ configuration }: AccountState): ConfigurationName[] {
  return CONFIGURATIONS.filter((name) => configuration[name]?.applied != null);
}

/** Whether it is more than a customer. */
export function isConnected(state: AccountState): boolean {
  const { merchant, recipient } = state.configuration;
  return merchant?.applied != null || recipient?.applied != null;
}

/** The requested capabilities of configurations in use: `merchant.card_payments`. */
export function requestedOf(state: AccountState): { name: string; since: string }[] {
  return appliedOf(state).flatMap((configuration) =>
    Object.entries(state.configuration[configuration]?.capabilities ?? {})
      .filter(([, { requested }]) => requested)
      .map(([name, { since }]) => ({ name: `${configuration}.${name}`, since })),
  );
}
