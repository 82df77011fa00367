/** Top k of a stream of scored rows, in a bounded heap whose root is the worst row kept. */

export interface ScoredRow {
  readonly row: number;
  readonly score: number;
}

export class TopK {
  readonly #limit: number;
  /** Tie-break for equal scores; makes the result independent of scan order. */
  readonly #precedes: (row: number, other: number) => boolean;
  readonly #rows: number[] = [];
  readonly #scores: number[] = [];

  constructor(limit: number, precedes: (row: number, other: number) => boolean) {
    this.#limit = limit;
    this.#precedes = precedes;
  }

  /** Rows with a lower score are not kept; hot loops test this before `offer`. */
  get threshold(): number {
    return this.#rows.length < this.#limit ? -Infinity : (this.#scores[0] ?? Infinity);
  }

  offer(row: number, score: number): void {
    const size = this.#rows.length;
    if (size < this.#limit) {
      this.#rows.push(row);
      this.#scores.push(score);
      this.#up(size);
    } else if (size > 0 && this.#better(row, score, 0)) {
      this.#rows[0] = row;
      this.#scores[0] = score;
      this.#down();
    }
  }

  /** The rows kept, best first. */
  ranked(): ScoredRow[] {
    return this.#rows
      .map((row, at) => ({ row, score: this.#scores[at]! }))
      .sort((a, b) => b.score - a.score || (this.#precedes(a.row, b.row) ? -1 : 1));
  }

  #better(row: number, score: number, at: number): boolean {
    const other = this.#scores[at]!;
    return score > other || (score === other && this.#precedes(row, this.#rows[at]!));
  }

  #up(at: number): void {
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#better(this.#rows[at]!, this.#scores[at]!, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #down(): void {
    for (let at = 0; ;) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < this.#rows.length && this.#better(this.#rows[worst]!, this.#scores[worst]!, child))
          worst = child;
      }
      if (worst === at) return;
      this.#swap(at, worst);
      at = worst;
    }
  }

  #swap(a: number, b: number): void {
    [this.#rows[a], this.#rows[b]] = [this.#rows[b]!, this.#rows[a]!];
    [this.#scores[a], this.#scores[b]] = [this.#scores[b]!, this.#scores[a]!];
  }
}
