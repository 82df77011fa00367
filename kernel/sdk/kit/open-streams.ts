export interface StreamBound {
  /** The counter. */
  readonly name: string;
  /** Streams that may be open at once. */
  readonly most: number;
}

/** Counts the open streams of this instance against bounds, such as one for all callers and one for each. */
export class OpenStreams {
  readonly #open = new Map<string, number>();

  /** Counts a stream in every bound and returns what ends it, safe twice; or the first full bound, counting nothing. */
  enter<B extends StreamBound>(bounds: readonly B[]): (() => void) | B {
    const full = bounds.find(({ name, most }) => this.#of(name) >= most);
    if (full !== undefined) return full;
    const entered = bounds.map(({ name }) => name);
    for (const name of entered) this.#open.set(name, this.#of(name) + 1);
    return () => {
      for (const name of entered.splice(0)) {
        const open = this.#of(name) - 1;
        if (open > 0) this.#open.set(name, open);
        else this.#open.delete(name);
      }
    };
  }

  #of(name: string): number {
    return this.#open.get(name) ?? 0;
  }
}
