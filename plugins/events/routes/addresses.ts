/** Addresses as clients write them. */
import type { Request } from 'plugboard/sdk';

/** 0, which names nothing, if it is not a number from 1. */
export function numberOf(text: string): number {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0;
}

/** Of this server, as the client wrote it. */
export function addressOf({ protocol, host }: Request): string {
  return /^[\w.:[\]-]{1,255}$/.test(host) ? `${protocol}://${host}` : `${protocol}://localhost`;
}

/** The path as the client wrote it, without what would end the address in a Link header. */
export function pathOf({ url }: Request): string {
  if (!/[?#<>"\\^`{|}]/.test(url)) return url;
  const end = url.search(/[?#]/);
  return (end === -1 ? url : url.slice(0, end)).replaceAll(/[<>"\\^`{|}]/g, encodeURIComponent);
}
