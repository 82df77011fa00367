/** The scopes that a request asks for: pure functions. */
import { fieldError } from './errors.js';

export interface ScopeChange {
  readonly scopes?: readonly string[] | null;
  readonly add_scopes?: readonly string[];
  readonly remove_scopes?: readonly string[];
}

/** Each once, in the given order. Throws for one that is not allowed. */
export function allowedScopes(asked: readonly string[], allowed: ReadonlySet<string>): string[] {
  const unknown = asked.filter((scope) => !allowed.has(scope));
  if (unknown.length > 0) {
    const named = unknown.slice(0, 10).map((scope) => scope.slice(0, 100));
    throw fieldError('scopes', 'custom', `scopes are invalid: ${named.join(',')}`);
  }
  return [...new Set(asked)];
}

/** Applies a change to the current scopes. */
export function changedScopes(
  current: readonly string[],
  change: ScopeChange,
  allowed: ReadonlySet<string>,
): readonly string[] {
  const { scopes, add_scopes: added, remove_scopes: removed } = change;
  const given = [scopes, added, removed].filter((each) => each !== undefined);
  if (given.length > 1)
    throw fieldError('scopes', 'custom', 'only one of scopes, add_scopes and remove_scopes may be sent');
  if (scopes !== undefined) return allowedScopes(scopes ?? [], allowed);
  if (added !== undefined) return [...new Set([...current, ...allowedScopes(added, allowed)])];
  const gone = new Set(removed);
  return current.filter((scope) => !gone.has(scope));
}
