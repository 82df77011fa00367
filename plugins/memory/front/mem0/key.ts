/** Keys for memories that nobody names: letters alone, so that the search takes one for a word and for no number. */
import { createHash, randomBytes } from 'node:crypto';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const LENGTH = 20;

export function newKey(): string {
  return lettersOf(randomBytes(LENGTH));
}

/** The same for the same id: a memory that is imported again is the one that is there. */
export function keyFor(id: string): string {
  return lettersOf(createHash('sha256').update(id).digest().subarray(0, LENGTH));
}

function lettersOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('');
}
