/** Ids of stored rows: later rows sort after earlier ones, so the default order is insertion order. */
import { randomBytes } from 'node:crypto';

/** 12 hex digits of milliseconds, 5 of a counter, 10 random: like a UUID of version 7 (RFC 9562, 5.7), but shorter. */
export class RowIds {
  #millisecond = 0;
  #counter = 0;
  /** Random digits for many ids: asking for five bytes at a time takes longer than storing a row. */
  #random = '';
  #at = 0;

  next(): string {
    const now = Date.now();
    if (now > this.#millisecond) {
      this.#millisecond = now;
      this.#counter = 0;
    } else if (++this.#counter > 0xfffff) {
      this.#millisecond++;
      this.#counter = 0;
    }
    if (this.#at === this.#random.length) {
      this.#random = randomBytes(5 * POOL).toString('hex');
      this.#at = 0;
    }
    this.#at += 10;
    return hex(this.#millisecond, 12) + hex(this.#counter, 5) + this.#random.slice(this.#at - 10, this.#at);
  }
}

const POOL = 200;

/** The id of the row at a position of a file: before all that come later, and the same wherever it is loaded. */
export function loadedId(at: number): string {
  return hex(at, 27);
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}
