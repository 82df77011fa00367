/** `Content-Location` and `Location`. */

/** The path with its query in one canonical form: decoded, sorted by name and value, encoded again. */
export function canonicalLocation(path: string, search: string): string {
  const parameters = new URLSearchParams(search);
  parameters.sort();
  const query = [...parameters].map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  return query === '' ? path : `${path}?${query}`;
}

/** The place of one row by its primary key: `/films?id=eq.5`. */
export function rowLocation(path: string, key: readonly (readonly [column: string, text: string])[]): string {
  return `${path}?${key.map(([column, text]) => `${encode(column)}=eq.${encode(text)}`).join('&')}`;
}

/** Keeps what the grammar is made of readable: parentheses, commas, stars. */
function encode(text: string): string {
  return encodeURIComponent(text);
}
