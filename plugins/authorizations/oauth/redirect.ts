/** Where a browser goes after the user has decided. */

/** A loopback address is an application on the user's own machine, which may use any port (RFC 8252 7.3). */
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

/** Whether `uri` is the application's own: the scheme, host and port of its `url`, and a path within it. */
export function isRedirectOf(uri: string, url: string): boolean {
  if (!URL.canParse(uri) || !URL.canParse(url)) return false;
  const [asked, own] = [new URL(uri), new URL(url)];
  if (asked.username !== '' || asked.password !== '' || asked.hash !== '') return false;
  const isHost = LOOPBACK.has(own.hostname)
    ? asked.hostname === own.hostname && asked.protocol === own.protocol
    : asked.origin === own.origin && asked.protocol.startsWith('http');
  const folder = own.pathname.endsWith('/') ? own.pathname : `${own.pathname}/`;
  return isHost && (asked.pathname === own.pathname || asked.pathname.startsWith(folder));
}

/** `uri` with parameters added to its query, undefined ones left out. */
export function redirectTo(uri: string, query: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}
