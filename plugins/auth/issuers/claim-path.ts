/** Paths into token claims: `app_metadata.role`, `resource_access."my-app".roles`. */

export type ClaimPath = readonly string[];

/** Throws a readable `Error` for an invalid path. Linear in the text. */
export function parseClaimPath(text: string): ClaimPath {
  const names: string[] = [];
  let at = 0;
  do {
    const quoted = text[at] === '"';
    const start = quoted ? at + 1 : at;
    const end = quoted ? text.indexOf('"', start) : endOfName(text, start);
    if (end <= start) throw new Error(`the path "${text}" has an empty or unclosed name`);
    names.push(text.slice(start, end));
    at = quoted ? end + 1 : end;
    if (at < text.length && text[at] !== '.')
      throw new Error(`the path "${text}" needs a dot after "${text.slice(0, at)}"`);
    if (at === text.length - 1) throw new Error(`the path "${text}" ends with a dot`);
    at += 1;
  } while (at <= text.length);
  return names;
}

/** The value at the path; undefined if a name on it is missing. */
export function claimAt(claims: unknown, path: ClaimPath): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Readonly<Record<string, unknown>>)[name]
        : undefined,
    claims,
  );
}

const LONGEST_ROLE = 100;
const MOST_ROLES = 50;

/** The roles in a claim: a text, or a list whose other elements are ignored. */
export function rolesIn(value: unknown): string[] {
  const texts = (Array.isArray(value) ? value.slice(0, MOST_ROLES) : [value]).filter(
    (one): one is string => typeof one === 'string' && one !== '' && one.length <= LONGEST_ROLE,
  );
  return [...new Set(texts)];
}

function endOfName(text: string, start: number): number {
  const dot = text.indexOf('.', start);
  return dot === -1 ? text.length : dot;
}
