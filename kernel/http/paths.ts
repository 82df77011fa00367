/** Paths of requests. */

export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** By segments, not by characters: a client may percent-encode the prefix too (`/d%61ta`). */
export function pathBehind(prefix: string, path: string): string {
  if (prefix === '') return path;
  return `/${path.split('/').slice(prefix.split('/').length).join('/')}`;
}
