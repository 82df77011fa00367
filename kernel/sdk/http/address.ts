/** Client addresses, grouped for counting and locking. */
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** One subscriber owns a whole /64 of IPv6, so it counts as one address; IPv4 written as IPv6 is IPv4. */
export function addressGroup(address: string): string {
  if (!isIPv6(address)) return address;
  // A zone may be any text.
  const ip = ipaddr.IPv6.parse(address.replace(/%.*/s, ''));
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address().toString();
  const network = ip.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
