/**
 * Where the external store may lie. The server sends requests to a host that a person types, so it must not be
 * led to what only the server can reach: metadata services and link-local addresses never, loopback and private
 * networks only where the config allows them. Checked on the text, and on every address that is connected to.
 */
import { BlockList, isIP } from 'node:net';

export type HostProblem =
  | 'host_missing'
  | 'host_malformed'
  | 'host_with_credentials'
  | 'host_with_path'
  | 'host_with_port'
  | 'scheme_not_http'
  | 'address_forbidden'
  | 'address_private';

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

/** `name`, `http://name` or `https://name` and a port; without a scheme http is meant. */
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

/** Names of metadata services that resolve to an address only inside a cloud. */
const METADATA_NAMES = /^(metadata|metadata\.google\.internal|instance-data)\.?$/i;

/** Met at the moment of connecting. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
  readonly problem: HostProblem;

  constructor(problem: HostProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** For a host name: null says nothing of the addresses that it resolves to. */
export function nameProblem(hostname: string, allowPrivate: boolean): HostProblem | null {
  if (isIP(hostname) !== 0) return addressProblem(hostname, allowPrivate);
  if (METADATA_NAMES.test(hostname)) return 'address_forbidden';
  if (/^(.*\.)?localhost\.?$/i.test(hostname) && !allowPrivate) return 'address_private';
  return null;
}

/** For an address that is to be connected to. */
export function addressProblem(address: string, allowPrivate: boolean): HostProblem | null {
  const plain = embeddedIpv4(address) ?? address;
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4';
  if (FORBIDDEN.check(plain, family)) return 'address_forbidden';
  if (!allowPrivate && PRIVATE.check(plain, family)) return 'address_private';
  return null;
}

/** IANA special-purpose address registries; the metadata addresses of the large clouds by name. */
const FORBIDDEN = blockList([
  '0.0.0.0/8',
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  'fe80::/10',
  'fec0::/10',
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  'ff00::/8',
]);
const PRIVATE = blockList([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '198.18.0.0/15',
  '::1/128',
  'fc00::/7',
]);

function blockList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix = ''] = subnet.split('/');
    list.addSubnet(network, Number(prefix), isIP(network) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** The IPv4 address inside a mapped (::ffff:0:0/96), NAT64 (64:ff9b::/96) or 6to4 (2002::/16) address. */
function embeddedIpv4(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined;
  const groups = expandIpv6(address);
  const at = (index: number): number => groups[index] ?? 0;
  const dotted = (high: number, low: number): string =>
    [high >> 8, high & 255, low >> 8, low & 255].join('.');
  const leading = groups.slice(0, 6).join(',');
  if (leading === '0,0,0,0,0,65535' || leading === '100,65435,0,0,0,0') return dotted(at(6), at(7));
  if (at(0) === 0x2002) return dotted(at(1), at(2));
  return undefined;
}

function expandIpv6(address: string): number[] {
  const text = address
    .replace(/%.*/s, '')
    .replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, a: string, b: string, c: string, d: string) =>
      [(Number(a) << 8) | Number(b), (Number(c) << 8) | Number(d)].map((part) => part.toString(16)).join(':'),
    );
  const [head = '', tail] = text.split('::');
  const parse = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((hex) => parseInt(hex, 16));
  if (tail === undefined) return parse(head);
  const [before, after] = [parse(head), parse(tail)];
  return [...before, ...Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after];
}
