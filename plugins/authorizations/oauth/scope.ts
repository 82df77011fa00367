/** The `scope` of a request: separated by spaces, or by commas as GitHub's web clients write it. */

/** Undefined if one of them is not `allowed`. */
export function readScope(text: string, allowed: ReadonlySet<string>): string[] | undefined {
  const scopes = [...new Set(text.split(/[ ,]/).filter((scope) => scope !== ''))];
  return scopes.every((scope) => allowed.has(scope)) ? scopes : undefined;
}
