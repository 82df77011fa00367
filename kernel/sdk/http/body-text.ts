/** Refuses bodies that are not valid text: decoding them would insert U+FFFD. */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';

interface BodyFault {
  readonly kind: 'encoded' | 'not utf-8';
  /** A sentence about the body, without its subject. */
  readonly reason: string;
}

/** Why a body cannot be read as text; undefined if it can. For a plugin's own parsers; the kernel's call it already. */
export function bodyFault(headers: IncomingHttpHeaders, body: Buffer): BodyFault | undefined {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return { kind: 'encoded', reason: `has the content encoding "${encoding}": send it without` };
  return isUtf8(body) ? undefined : { kind: 'not utf-8', reason: 'is not UTF-8' };
}
