/** Generated keys: letters only, so that the search treats them as a word, not a number. */
import { createHash, randomBytes } from 'node:crypto';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const LENGTH = 20;

export function newKey(): string {
  return lettersOf(randomBytes(LENGTH));
}

/** Deterministic: a memory that is imported again replaces the earlier one. */
export function keyFor(id: string): string {
  return lettersOf(createHash('sha256').update(id).digest().subarray(0, LENGTH));
}

function lettersOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('');
}
