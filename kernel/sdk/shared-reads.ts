/**
 * Reads that callers share, for answers that must never be older than the question: a caller that comes while a read
 * runs waits for the next one, so what it gets was read after it asked. However many ask, one read runs at a time.
 *
 * Of a store that counts its commits an answer is kept until the next commit: it is what another read would answer.
 */

/** Keys in one read, so that its answer does not hold up the event loop. */
const MOST_KEYS = 500;
/** While more callers come with every turn of the event loop, a read waits for them: so many turns, or milliseconds. */
const TURNS = 4;
const GATHERING = 5;
/** Answers that are kept until the next commit. */
const MOST_KEPT = 10_000;

interface Waiting<V> {
  readonly answer: Promise<V | undefined>;
  readonly resolve: (value: V | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export class SharedReads<K, V> {
  readonly #read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>;
  #waiting = new Map<K, Waiting<V>>();
  readonly #store: { readonly commits?: number | undefined };
  /** What was read at `#keptAt`, a count of commits. */
  readonly #kept = new Map<K, V | undefined>();
  #keptAt = -1;
  #callers = 0;
  #runs = false;

  /**
   * `read` answers those of the keys that there are. What it throws, all who wait for these keys are told. It reads `store`
   * alone, and nothing that expires, where that counts its commits.
   */
  constructor(
    read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
    store: { readonly commits?: number | undefined } = {},
  ) {
    this.#read = read;
    this.#store = store;
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
    let waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      waiting = newWaiting<V>();
      this.#waiting.set(key, waiting);
      if (!this.#runs) void this.#run();
    }
    return waiting.answer;
  }

  async #run(): Promise<void> {
    this.#runs = true;
    while (this.#waiting.size > 0) {
      // A store that counts its commits is in this process, and answers within the turn.
      if (this.#store.commits === undefined) await this.#gathered();
      const batch = this.#take();
      const { commits } = this.#store;
      try {
        const found = await this.#read([...batch.keys()]);
        for (const [key, { resolve }] of batch) resolve(found.get(key));
        if (commits !== undefined && commits === this.#store.commits) this.#keep(batch, found, commits);
      } catch (error) {
        for (const { reject } of batch.values()) reject(error);
      }
    }
    this.#runs = false;
  }

  #keep(batch: ReadonlyMap<K, Waiting<V>>, found: ReadonlyMap<K, V>, commits: number): void {
    if (commits !== this.#keptAt || this.#kept.size >= MOST_KEPT) this.#kept.clear();
    this.#keptAt = commits;
    for (const key of batch.keys()) this.#kept.set(key, found.get(key));
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

  #take(): Map<K, Waiting<V>> {
    const all = this.#waiting;
    if (all.size <= MOST_KEYS) {
      this.#waiting = new Map();
      return all;
    }
    const first = new Map([...all].slice(0, MOST_KEYS));
    for (const key of first.keys()) all.delete(key);
    return first;
  }
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function newWaiting<V>(): Waiting<V> {
  let resolve: Waiting<V>['resolve'] = () => undefined;
  let reject: Waiting<V>['reject'] = () => undefined;
  const answer = new Promise<V | undefined>((...both) => ([resolve, reject] = both));
  // A caller may have been refused for something else meanwhile, and look at it no more.
  answer.catch(() => undefined);
  return { answer, resolve, reject };
}
