/** Tokens name a service and carry its type; the id string is the identity, so two copies of the SDK agree. */

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

/** The services behind a record of tokens, under the same names. */
export type Services<M extends TokenMap> = {
  readonly [K in keyof M]: M[K] extends Token<infer T> ? T : never;
};

export function token<T>(id: string): Token<T> {
  if (!/^[a-z][\w.-]*@\d+$/.test(id)) {
    throw new TypeError(
      `token id "${id}" must be a dotted name and an interface version, like "events.feed@1"`,
    );
  }
  return Object.freeze({ id, key: Symbol.for(id) });
}

/**
 * A service that must know who asks implements this method; the kernel injects its result in place of the
 * service itself. Storage uses it to give each plugin a namespace of its own.
 */
export const SCOPED: unique symbol = Symbol.for('plugboard.scoped') as never;

export interface Scoped<T> {
  [SCOPED](pluginId: string): T;
}
