/** The `scope` of a request: a list with spaces, or with commas as web clients of GitHub write it. */

/** Undefined where one of them is not `allowed`. */
export function readScope(text: string, allowed: ReadonlySet<string>): string[] | undefined {
  const scopes = [...new Set(text.split(/[ ,]/).filter((scope) => scope !== ''))];
  return scopes.every((scope) => allowed.has(scope)) ? scopes : undefined;
}
