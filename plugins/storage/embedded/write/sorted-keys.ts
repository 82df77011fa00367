/** A sorted set of strings that grows: adding one costs the length of a chunk, not of the whole. */

/** A longer chunk is cut in two. */
const CHUNK = 512;

/** By UTF-16 unit, which for bytes as latin1 is the order of the bytes. */
export class SortedKeys {
  readonly #chunks: string[][] = [];
  /** Added since the last read: who only writes never sorts. */
  #added: string[] = [];

  /** `key` is not in the set yet. */
  add(key: string): void {
    this.#added.push(key);
  }

  /** From `start` to before `end`, in order; a copy. */
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

  /** The last chunk that begins at or before the key; -1: all begin behind it. */
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
