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

/** `applied` is the instant from which a configuration is in use; null while it is deactivated. */
export type Configuration<N extends ConfigurationName = ConfigurationName> = Omit<
  Present<NonNullable<Settings[N]>>,
  'applied' | 'capabilities'
> & { readonly applied: string | null; readonly capabilities: Capabilities };

/** By dotted name, e.g. `bank_accounts.ach`. */
export type Capabilities = Readonly<Record<string, Capability>>;

export interface Capability {
  readonly requested: boolean;
  /** Since when it is requested, as the due dates of requirements count from there. */
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
  /** Its persons, without what they have given; undefined where nobody has asked for any, and none was added. */
  readonly persons?: readonly PersonSummary[];
  /** When a capability of a merchant or recipient first became active. */
  readonly activated_at?: string;
}

/** What requirements need to know of a person; the rest is sealed, and stored beside the account. */
export interface PersonSummary {
  readonly id: string;
  /** Those that it has. */
  readonly roles: readonly PersonRole[];
  /** Paths of what it has given, such as `address.line1`; never values. */
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
  /** Counts the writes, so that of two updates at once the second one sees the first. */
  readonly version: number;
  /** The listings that it stands in, see `lists.ts`. */
  readonly lists: readonly string[];
  /** JSON of an `AccountState`: names in it are the caller's, and a store has its own idea of `$` and dots. */
  readonly state: string;
  /** The request that made it, when that had an idempotency key. */
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

/** Whether it is used for more than being a customer. */
export function isConnected(state: AccountState): boolean {
  const { merchant, recipient } = state.configuration;
  return merchant?.applied != null || recipient?.applied != null;
}

/** The capabilities that are asked for, of configurations in use: `merchant.card_payments`. */
export function requestedOf(state: AccountState): { name: string; since: string }[] {
  return appliedOf(state).flatMap((configuration) =>
    Object.entries(state.configuration[configuration]?.capabilities ?? {})
      .filter(([, { requested }]) => requested)
      .map(([name, { since }]) => ({ name: `${configuration}.${name}`, since })),
  );
}
