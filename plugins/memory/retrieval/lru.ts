/** A cache of bounded size that drops what was used longest ago, and counts how often it helped. */
export class Lru<V> {
  readonly #entries = new Map<string, V>();
  readonly #capacity: number;
  #hits = 0;
  #misses = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** `usable` refuses a value that has gone stale: that is a miss, and the value is dropped. */
  get(key: string, usable: (value: V) => boolean = () => true): V | undefined {
    const value = this.#entries.get(key);
    this.#entries.delete(key);
    if (value === undefined || !usable(value)) {
      this.#misses += 1;
      return undefined;
    }
    this.#entries.set(key, value);
    this.#hits += 1;
    return value;
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#capacity) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  get counts(): { hits: number; misses: number; size: number } {
    return { hits: this.#hits, misses: this.#misses, size: this.#entries.size };
  }
}
