export interface StreamBound {
  /** What is counted. */
  readonly name: string;
  /** That may be open at the same time. */
  readonly most: number;
}

/** Streams that are open at the same time on this instance, by whatever they are counted for: all callers, each of them. */
export class OpenStreams {
  readonly #open = new Map<string, number>();

  /** Opens one that counts in every bound: what closes it, safe twice; or, with nothing opened, the first bound that is reached. */
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
