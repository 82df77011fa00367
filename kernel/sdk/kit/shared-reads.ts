/**
 * Reads that callers share, for answers that must never be older than the question: a caller that comes while a read
 * runs waits for the next one, so what it gets was read after it asked. However many ask, one read runs at a time.
 *
 * Of a store that counts its commits an answer is kept until the next commit: it is what another read would answer.
 */
import { Batcher, type Outcome } from './batcher.js';

/** Keys in one read, so that its answer does not hold up the event loop. */
const MOST_KEYS = 500;
/** While more callers come with every turn of the event loop, a read waits for them: so many turns, or milliseconds. */
const TURNS = 4;
const GATHERING = 5;
/** Answers that are kept until the next commit. */
const MOST_KEPT = 10_000;

export class SharedReads<K, V> {
  readonly #read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>;
  readonly #store: { readonly commits?: number | undefined };
  readonly #batches: Batcher<K, V | undefined>;
  /** Answers that a read which has not begun will bring. */
  readonly #awaited = new Map<K, Promise<V | undefined>>();
  /** What was read at `#keptAt`, a count of commits. */
  readonly #kept = new Map<K, V | undefined>();
  #keptAt = -1;
  #callers = 0;

  /**
   * `read` answers those of the keys that exist. If it throws, all callers of these keys get the error. If `store`
   * counts its commits, `read` reads `store` alone, and nothing that expires.
   */
  constructor(
    read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
    store: { readonly commits?: number | undefined } = {},
  ) {
    this.#read = read;
    this.#store = store;
    this.#batches = new Batcher((keys) => this.#answers(keys), {
      most: MOST_KEYS,
      // A store that counts its commits is in this process, and answers within the turn.
      gather: () => (store.commits === undefined ? this.#gathered() : undefined),
    });
  }

  /** What a read would answer now, where that is known without one; else undefined. */
  kept(key: K): V | undefined {
    return this.#keptAt === this.#store.commits ? this.#kept.get(key) : undefined;
  }

  /** Undefined for a key that `read` did not answer. Callers get the same value: they do not mutate it. */
  get(key: K): Promise<V | undefined> {
    if (this.#keptAt === this.#store.commits && this.#kept.has(key))
      return Promise.resolve(this.#kept.get(key));
    this.#callers += 1;
    let answer = this.#awaited.get(key);
    if (answer === undefined) {
      answer = this.#batches.call(key);
      // A caller may have been refused for another reason meanwhile, and never look at it.
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

  /** Resolves at the end of a turn in which nobody came: a busy server reads once for all who come together. */
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
