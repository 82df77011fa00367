/**
 * Reads shared by callers, whose results are never older than the call: a caller that arrives during a read waits for
 * the next one. However many call, one read runs at a time.
 *
 * If the store counts its commits, results are kept until the next commit.
 */
import { Batcher, type Outcome } from './batcher.js';

/** Keys in one read, so that its result does not block the event loop. */
const MOST_KEYS = 500;
/** While every turn of the event loop brings more callers, a read waits for them: as many turns, or milliseconds. */
const TURNS = 4;
const GATHERING = 5;
/** Results kept until the next commit. */
const MOST_KEPT = 10_000;

export class SharedReads<K, V> {
  readonly #read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>;
  readonly #store: { readonly commits?: number | undefined };
  readonly #batches: Batcher<K, V | undefined>;
  /** Results of reads that have not begun. */
  readonly #awaited = new Map<K, Promise<V | undefined>>();
  /** What was read at `#keptAt`, a count of commits. */
  readonly #kept = new Map<K, V | undefined>();
  #keptAt = -1;
  #callers = 0;

  /**
   * `read` returns the keys that exist. If it throws, all callers of these keys get the error. If `store` counts its
   * commits, `read` must read only `store`, and nothing that expires.
   */
  constructor(
    read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
    store: { readonly commits?: number | undefined } = {},
  ) {
    this.#read = read;
    this.#store = store;
    this.#batches = new Batcher((keys) => this.#answers(keys), {
      most: MOST_KEYS,
      // A store that counts its commits is in this process and answers within the turn.
      gather: () => (store.commits === undefined ? this.#gathered() : undefined),
    });
  }

  /** What a read would return now, if known without one; else undefined. */
  kept(key: K): V | undefined {
    return this.#keptAt === this.#store.commits ? this.#kept.get(key) : undefined;
  }

  /** Undefined for a key that `read` did not return. Callers share the value and must not mutate it. */
  get(key: K): Promise<V | undefined> {
    if (this.#keptAt === this.#store.commits && this.#kept.has(key))
      return Promise.resolve(this.#kept.get(key));
    this.#callers += 1;
    let answer = this.#awaited.get(key);
    if (answer === undefined) {
      answer = this.#batches.call(key);
      // The caller may fail for another reason meanwhile and never await it.
      answer.catch(() => undefined);
      this.#awaited.set(key, answer);
    }
    return answer;
  }

  async #answers(keys: readonly K[]): Promise<Outcome<V | undefined>[]> {
    for (const key of keys) this.#awaited.delete(key);
    const { commits } = this.#store;
    const found = await this.#read(keys);
    if (commits !== undefined && commits === this.#store.commits) this.#keep(keys, found, commits);
    return keys.map((key) => ({ value: found.get(key) }));
  }

  #keep(keys: readonly K[], found: ReadonlyMap<K, V>, commits: number): void {
    if (commits !== this.#keptAt || this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#keptAt = commits;
    for (const key of keys) this.#kept.set(key, found.get(key));
  }

  /** Resolves after a turn without new callers: a busy server reads once for all that arrive together. */
  async #gathered(): Promise<void> {
    const end = performance.now() + GATHERING;
    for (let turn = 0; turn < TURNS || performance.now() < end; turn += 1) {
      const before = this.#callers;
      await endOfTurn();
      if (this.#callers === before) return;
    }
  }
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
