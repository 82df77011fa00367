/** Google takes each name in camel case and in snake case. */
import type { Json } from '../dialect.js';

export function field(body: Json, name: string): unknown {
  return body[name] ?? body[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

/** Names of both cases, for sets of what is read. */
export function bothCases(names: readonly string[]): ReadonlySet<string> {
  return new Set(
    names.flatMap((name) => [name, name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]),
  );
}
