/** A growing sorted set of strings in chunks: an insert costs the length of a chunk, not of the set. */

/** A longer chunk is split. */
const CHUNK = 512;

/** Ordered by UTF-16 unit, which for latin1 strings is byte order. */
export class SortedKeys {
  readonly #chunks: string[][] = [];
  /** Added since the last read; writers that never read never sort. */
  #added: string[] = [];

  /** `key` is not in the set yet. */
  add(key: string): void {
    this.#added.push(key);
  }

  /** The keys from `start` up to `end`, sorted; a copy. */
  between(start: string, end: string): string[] {
    this.#settle();
    const found: string[] = [];
    for (let at = Math.max(0, this.#chunkOf(start)); at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at]!;
      const from = firstAtLeast(chunk, start);
      const to = firstAtLeast(chunk, end);
      for (let key = from; key < to; key++) found.push(chunk[key]!);
      if (to < chunk.length) break;
    }
    return found;
  }

  #settle(): void {
    const added = this.#added;
    if (added.length === 0) return;
    this.#added = [];
    for (const key of added) this.#insert(key);
  }

  #insert(key: string): void {
    const at = Math.max(0, this.#chunkOf(key));
    const chunk = this.#chunks[at];
    if (chunk === undefined) {
      this.#chunks.push([key]);
      return;
    }
    chunk.splice(firstAtLeast(chunk, key), 0, key);
    if (chunk.length > CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK / 2));
  }

  /** The last chunk that starts at or before the key; -1 if there is none. */
  #chunkOf(key: string): number {
    let [low, high] = [0, this.#chunks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#chunks[middle]![0]! <= key) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

function firstAtLeast(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
