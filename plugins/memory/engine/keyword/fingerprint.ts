/** Text fingerprints: data derived from an entry's text is valid as long as the fingerprint matches. */
import { hash } from 'node:crypto';

/** The first 48 bits of the SHA-256 of a text, as an integer. */
export function fingerprint(text: string): number {
  return hash('sha256', text, 'buffer').readUIntBE(0, 6);
}
