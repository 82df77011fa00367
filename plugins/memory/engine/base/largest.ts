/** The n largest numbers of a stream, in a min-heap. */
export class Largest {
  readonly #heap: Float64Array;

  constructor(n: number) {
    this.#heap = new Float64Array(n).fill(-Infinity);
  }

  /** The smallest of the n largest so far; -Infinity until there are n. */
  get least(): number {
    return this.#heap[0] ?? Infinity;
  }

  offer(value: number): void {
    if (value > this.least) this.#replaceRoot(value);
  }

  #replaceRoot(value: number): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= value) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = value;
  }
}
