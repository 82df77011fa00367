/**
 * Signatures on their way through a client that speaks another dialect than the vendor that made them: they carry
 * their origin, so that none is ever handed to another vendor.
 */
import type { ClientName, DialectName, Signature } from './neutral.js';

const MARK = 'plugboard-signature:';

/** Google's clients accept only base64. The part of the encoded prefix that does not depend on what follows. */
const IN_BASE64 = Buffer.from(MARK.slice(0, 18)).toString('base64');

/** In the text of a client's body: a signature of another origin may be in it. */
export function markIn(dialect: ClientName): string {
  return dialect === 'gemini' ? IN_BASE64 : MARK;
}

/** For a client that speaks `dialect`. */
export function marked({ origin, value }: Signature, dialect: DialectName): string {
  if (origin === dialect) return value;
  const text = `${MARK}${origin}:${value}`;
  return dialect === 'gemini' ? Buffer.from(text).toString('base64') : text;
}

/** From a client that speaks `dialect`. */
export function unmarked(signature: string, dialect: DialectName): Signature {
  const text = signature.startsWith(IN_BASE64) ? Buffer.from(signature, 'base64').toString() : signature;
  if (!text.startsWith(MARK)) return { origin: dialect, value: signature };
  const rest = text.slice(MARK.length);
  const colon = rest.indexOf(':');
  return { origin: rest.slice(0, colon) as DialectName, value: rest.slice(colon + 1) };
}
