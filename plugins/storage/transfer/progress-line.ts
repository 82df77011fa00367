/** Progress of a long command: at most one line per second, readable in a terminal and in a log. */
import type { Writable } from 'node:stream';

export class ProgressLine {
  readonly #output: Writable;
  #next = performance.now() + 1000;

  constructor(output: Writable) {
    this.#output = output;
  }

  tell(what: string, done: number, total: number): void {
    const now = performance.now();
    if (now < this.#next) return;
    this.#next = now + 1000;
    const share = total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total));
    this.#output.write(`${what}: ${done} of ${total} documents (${share}%)\n`);
  }
}
