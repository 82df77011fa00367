/** Tells texts apart: what is kept of an entry is used as long as its text is the one that it was made of. */
import { hash } from 'node:crypto';

/** 48 bits of the SHA-256 of a text, as a whole number. */
export function fingerprint(text: string): number {
  return hash('sha256', text, 'buffer').readUIntBE(0, 6);
}
