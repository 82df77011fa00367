/**
 * Protects requests to user-supplied addresses from SSRF. Metadata services and link-local addresses are always
 * refused, loopback and private networks unless allowed. A name is checked twice: as text, and by every address that it
 * resolves to when a connection is made.
 */
import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export type AddressProblem = 'address_forbidden' | 'address_private';

/** Names of metadata services that resolve to an address only inside a cloud. */
const METADATA_NAMES = /^(metadata|metadata\.google\.internal|instance-data)\.?$/i;

/** Thrown while connecting. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
  readonly problem: AddressProblem;

  constructor(problem: AddressProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** For a host name; null says nothing about the addresses it resolves to. */
export function nameProblem(hostname: string, allowPrivate: boolean): AddressProblem | null {
  if (isIP(hostname) !== 0) return addressProblem(hostname, allowPrivate);
  if (METADATA_NAMES.test(hostname)) return 'address_forbidden';
  if (/^(.*\.)?localhost\.?$/i.test(hostname) && !allowPrivate) return 'address_private';
  return null;
}

/** For an address to connect to. */
export function addressProblem(address: string, allowPrivate: boolean): AddressProblem | null {
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

/**
 * The IPv4 address inside a mapped (::ffff:0:0/96), translated (::ffff:0:0:0/96), NAT64 (64:ff9b::/96) or 6to4
 * (2002::/16) one.
 */
function embeddedIpv4(address: string): string | undefined {
  if (!isIPv6(address)) return undefined;
  const ip = ipaddr.IPv6.parse(address.replace(/%.*/s, ''));
  switch (ip.range()) {
    case 'ipv4Mapped':
    case 'rfc6145':
    case 'rfc6052':
      return ip.toByteArray().slice(12).join('.');
    case '6to4':
      return ip.toByteArray().slice(2, 6).join('.');
    default:
      return undefined;
  }
}

/** How a name is resolved; only tests replace it. */
export type Resolve = (
  hostname: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const systemResolve: Resolve = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, callback);

/**
 * The `lookup` of a connection: fails with `ForbiddenAddress` if any address of the name is refused, and connects only
 * to the addresses it checked. Literal addresses are not looked up: use `nameProblem` for them.
 */
export function guardedLookup(allowPrivate: boolean, resolve: Resolve = systemResolve): LookupFunction {
  return (hostname, options, callback) =>
    resolve(hostname, options, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      for (const { address } of addresses) {
        const problem = addressProblem(address, allowPrivate);
        if (problem !== null) return callback(new ForbiddenAddress(problem), '', 0);
      }
      const [first] = addresses;
      if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family ?? 0);
    });
}
