/** What a wait is compared with: a bare `JSON.parse` of 1 MB, again and again in the same run. */
import assert from 'node:assert/strict';

const LAST = 9;

export class Yardstick {
  readonly #text: string;
  readonly #times: number[] = [];

  constructor() {
    const row = (id: number) => ({ id, name: `name ${id}`, tags: ['a', 'b'], nested: { x: 1.5, y: null } });
    this.#text = JSON.stringify(Array.from({ length: 13_000 }, (_, id) => row(id)));
    assert.ok(Math.abs(this.#text.length - 1_000_000) < 50_000, `${this.#text.length} characters`);
    // The first ones are those of code that is not compiled yet.
    for (let at = 0; at < 5; at += 1) this.measure();
    this.#times.length = 0;
    for (let at = 0; at < 5; at += 1) this.measure();
  }

  /** Between two requests, as it holds its own process up. */
  measure(): void {
    const began = performance.now();
    JSON.parse(this.#text);
    this.#times.push(performance.now() - began);
  }

  /** Milliseconds, the median of the last ones: a machine with other work is not equally fast all the time. */
  get value(): number {
    return median(this.#times.slice(-LAST));
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
