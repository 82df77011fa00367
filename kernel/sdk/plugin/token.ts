/** Tokens name a service and carry its type; the id string is the identity, so two copies of the SDK agree. */
import type { Logger } from './logger.js';
import type { Dialect, DialectName } from '../http/errors.js';

/**
 * The name of a service. `id` ends in the version of the service's interface, e.g. `events.feed@1`:
 * a change that breaks callers is a new id, so both versions can be provided side by side.
 */
export interface Token<out T> {
  readonly id: string;
  /** The key under which a dependency injection container holds the service: `Symbol.for(id)`. */
  readonly key: symbol;
  /** Carries the type; never present at run time. */
  readonly type?: T;
}

export type TokenMap = Readonly<Record<string, Token<unknown>>>;

/** The services for a record of tokens, under the same names. */
export type Services<M extends TokenMap> = {
  readonly [K in keyof M]: M[K] extends Token<infer T> ? T : never;
};

/** What a plugin returns for its `provides`: each service, or a factory that makes one per consumer. */
export type Provided<M extends TokenMap> = {
  readonly [K in keyof M]: M[K] extends Token<infer T> ? T | ScopedFactory<T> : never;
};

export function token<T>(id: string): Token<T> {
  if (!/^[a-z][\w.-]*@\d+$/.test(id)) {
    throw new TypeError(
      `token id "${id}" must be a dotted name and an interface version, like "events.feed@1"`,
    );
  }
  return Object.freeze({ id, key: Symbol.for(id) });
}

/** The plugin for which a scoped service is made. */
export interface Consumer {
  /** The instance's key in the config file. */
  readonly id: string;
  /** The scopes that the plugin declares. */
  readonly scopes: Readonly<Record<string, string>>;
  /** The dialect in which the plugin's routes answer errors. */
  readonly dialect: DialectName | Dialect;
  /** Aborted when the plugin stops or is left out: drop what you hold for it. */
  readonly signal: AbortSignal;
  /** The plugin's own. */
  readonly log: Logger;
}

const SCOPED = Symbol.for('plugboard.scoped');

/** Goes into `provides` for a service made per consumer: a storage namespace, the owner of a job. */
export interface ScopedFactory<out T> {
  readonly [SCOPED]: (consumer: Consumer) => T;
}

/** A service that must know its consumer: the kernel calls `make` once for each plugin that needs it. */
export function scoped<T>(make: (consumer: Consumer) => T): ScopedFactory<T> {
  return { [SCOPED]: make };
}

/** The service that a consumer gets from a provided value. */
export function serviceFor(provided: unknown, consumer: Consumer): unknown {
  return isScoped(provided) ? provided[SCOPED](consumer) : provided;
}

function isScoped(value: unknown): value is ScopedFactory<unknown> {
  return typeof value === 'object' && value !== null && SCOPED in value;
}
