/**
 * Signatures on their way through a client that speaks another dialect than the vendor that made them: they carry
 * their origin, so that none is ever handed to another vendor.
 */
import type { DialectName, Signature } from './neutral.js';

/** In the text of a body: a signature of another origin may be in it. */
export const MARK = 'plugboard-signature:';

/** For a client that speaks `dialect`. */
export function marked({ origin, value }: Signature, dialect: DialectName): string {
  return origin === dialect ? value : `${MARK}${origin}:${value}`;
}

/** From a client that speaks `dialect`. */
export function unmarked(text: string, dialect: DialectName): Signature {
  if (!text.startsWith(MARK)) return { origin: dialect, value: text };
  const rest = text.slice(MARK.length);
  const colon = rest.indexOf(':');
  return { origin: rest.slice(0, colon) as DialectName, value: rest.slice(colon + 1) };
}
