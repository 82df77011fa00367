/** The text of a body, read as it was sent: what cannot be is refused, as decoding would put U+FFFD in its place. */
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';

interface BodyFault {
  readonly kind: 'encoded' | 'not utf-8';
  /** A sentence about the body, without its subject. */
  readonly reason: string;
}

/** Why a body is not read as text; undefined where it can be. For parsers of a plugin's own; those of the kernel ask it. */
export function bodyFault(headers: IncomingHttpHeaders, body: Buffer): BodyFault | undefined {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    return { kind: 'encoded', reason: `has the content encoding "${encoding}": send it without` };
  return isUtf8(body) ? undefined : { kind: 'not utf-8', reason: 'is not UTF-8' };
}
