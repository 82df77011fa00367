/** Says on the terminal how far a transfer is, every two seconds. */
import type { Writable } from 'node:stream';

const INTERVAL = 2000;

export class Progress {
  readonly #output: Writable;
  readonly #verb: string;
  #done = 0;
  #next = performance.now() + INTERVAL;

  constructor(output: Writable, verb: string) {
    this.#output = output;
    this.#verb = verb;
  }

  /** One document more, of about so many. */
  advance(total: number): void {
    this.#done++;
    if (this.#done % 256 !== 0 || performance.now() < this.#next) return;
    this.#next = performance.now() + INTERVAL;
    const share = total === 0 ? 100 : Math.min(99, Math.floor((100 * this.#done) / total));
    this.#output.write(`${this.#verb} ${this.#done} of ${total} documents (${share} %)\n`);
  }
}
