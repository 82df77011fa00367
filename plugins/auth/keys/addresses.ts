/** From where a key may be used: addresses and networks in CIDR notation (RFC 4632). */
import { BlockList, isIP } from 'node:net';

/** A list to check a client's address against. The texts have passed `isNetwork`. */
export function addressList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** `10.1.2.3`, `10.0.0.0/8`, `2001:db8::/32`. */
export function isNetwork(text: string): boolean {
  const slash = text.indexOf('/');
  const family = isIP(slash === -1 ? text : text.slice(0, slash));
  if (family === 0 || slash === -1) return family !== 0;
  const bits = text.slice(slash + 1);
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
}
