/**
 * Allowed hosts of the external store. An administrator types the host, so it must not give access to what only the
 * server can reach: metadata services and link-local addresses never, loopback and private networks only if the config
 * allows them. Checked on the text, and on every address before connecting.
 */
import { isIP } from 'node:net';
import type { AddressProblem } from 'plugboard/sdk';

export type HostProblem =
  | 'host_missing'
  | 'host_malformed'
  | 'host_with_credentials'
  | 'host_with_path'
  | 'host_with_port'
  | 'scheme_not_http'
  | AddressProblem;

export const HOST_PROBLEMS: Readonly<Record<HostProblem, string>> = {
  host_missing: 'it is empty',
  host_malformed: 'it is neither a name nor an address',
  host_with_credentials: 'it must not hold a user or a password',
  host_with_path: 'it must not hold a path, a query or a fragment',
  host_with_port: 'the port has a field of its own',
  scheme_not_http: 'only http:// and https:// are possible',
  address_forbidden: 'it leads to a link-local, metadata, multicast or unspecified address',
  address_private:
    'it leads to a loopback or private address; externalStore.allowPrivateHosts in the config would allow that',
};

export interface Endpoint {
  readonly scheme: 'http' | 'https';
  /** A name, an IPv4 address, or an IPv6 address without brackets. */
  readonly hostname: string;
  readonly url: string;
}

/** `name`, `http://name` or `https://name`, and a port; the default scheme is http. */
export function parseHost(host: string, port: number): Endpoint | HostProblem {
  if (host === '') return 'host_missing';
  if (/[\s\\]/.test(host)) return 'host_malformed';
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(host)?.[1]?.toLowerCase() ?? 'http';
  if (scheme !== 'http' && scheme !== 'https') return 'scheme_not_http';
  const authority = host.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/\/$/, '');
  if (authority.includes('@')) return 'host_with_credentials';
  if (/[/?#]/.test(authority)) return 'host_with_path';
  const bare = isIP(authority) === 6 ? `[${authority}]` : authority;
  if (/\]:|^[^[\]]*:/.test(bare)) return 'host_with_port';
  try {
    const url = new URL(`${scheme}://${bare}:${port}`);
    const hostname = url.hostname.replace(/^\[|\]$/g, '');
    if (hostname === '') return 'host_malformed';
    return { scheme, hostname, url: `${scheme}://${url.hostname}:${port}` };
  } catch {
    return 'host_malformed';
  }
}
