/** `Content-Location` and `Location`. */

/** Clients refuse responses whose headers are long together, often from 16 kB. */
const LONGEST = 4_096;

/**
 * The path with its query in one canonical form: decoded, sorted by name and value, encoded again. Undefined if it is
 * too long for a header.
 */
export function canonicalLocation(path: string, search: string): string | undefined {
  if (search.length > LONGEST) return undefined;
  const parameters = new URLSearchParams(search);
  parameters.sort();
  const query = [...parameters].map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const location = query === '' ? path : `${path}?${query}`;
  return location.length > LONGEST ? undefined : location;
}

/** The location of a row by its primary key: `/films?id=eq.5`. */
export function rowLocation(path: string, key: readonly (readonly [column: string, text: string])[]): string {
  return `${path}?${key.map(([column, text]) => `${encode(column)}=eq.${encode(text)}`).join('&')}`;
}

function encode(text: string): string {
  return encodeURIComponent(text);
}
