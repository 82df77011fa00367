/**
 * A server on the loopback address is for this machine alone, but its browsers run everyone's pages: a page whose
 * host name is pointed at 127.0.0.1 ("DNS rebinding") has the same origin as the server. It cannot choose the name
 * that its browser sends as Host, which tells it from a local caller.
 */
import { isIP } from 'node:net';
import type { ServerConfig } from '../../config/shape.js';
import type { Check } from './check.js';
import { kernelErrors } from '../errors.js';

/** The most accepted headers to remember: a client sends the same one each time. */
const REMEMBERED = 100;

export function refuseForeignHosts({ host, trustProxy, allowedHosts }: ServerConfig): Check {
  if (trustProxy !== false || !isLoopback(host) || allowedHosts.includes('*')) return () => undefined;
  const names = new Set(allowedHosts.map((name) => name.toLowerCase()));
  const right = new Set<string | undefined>([undefined, '']);
  return ({ headers }) => {
    const sent = headers.host;
    if (right.has(sent)) return undefined;
    const name = hostName(sent ?? '');
    if (!isLocal(name) && !names.has(name)) return kernelErrors.misdirected({ values: { name } });
    if (right.size < REMEMBERED) right.add(sent);
    return undefined;
  };
}

/** A proxy may have read one of them and the server the other (RFC 9112 3.2). */
export const refuseTwoHosts: Check = ({ raw: { rawHeaders } }) => {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  return hosts > 1
    ? kernelErrors.malformed_http({ message: 'the request has more than one header "Host"' })
    : undefined;
};

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** `example.com:8080` without its port, `[::1]:8080` without brackets and port, in lower case. */
function hostName(header: string): string {
  return header
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

/** An address cannot be pointed elsewhere, and no browser asks the network for a name under `localhost` (RFC 6761). */
function isLocal(name: string): boolean {
  return isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost');
}
