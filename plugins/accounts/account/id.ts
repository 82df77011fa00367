/** Ids: a prefix, letters and digits, as clients of the interface expect. */
import { hash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 24;
/** Larger bytes would favour some letters. */
const FAIR = 256 - (256 % ALPHABET.length);

export function randomId(): string {
  let id = '';
  while (id.length < LENGTH) id += letters(randomBytes(LENGTH + 8), LENGTH - id.length);
  return id;
}

/** Deterministic: 32 bytes of SHA-512 remain unbiased in all but one of 10^40 cases. */
export function idFrom(text: string): string {
  return letters(hash('sha512', text, 'buffer'), LENGTH).padEnd(LENGTH, '0');
}

function letters(bytes: Uint8Array, count: number): string {
  let text = '';
  for (const byte of bytes) {
    if (text.length === count) break;
    if (byte < FAIR) text += ALPHABET[byte % ALPHABET.length];
  }
  return text;
}
