/**
 * Reads that callers share, for answers that must never be older than the question: a caller that comes while a read
 * runs waits for the next one, so what it gets was read after it asked. However many ask, one read runs at a time.
 */

/** Keys in one read, so that its answer does not hold up the event loop. */
const MOST_KEYS = 500;
/** While more callers come with every turn of the event loop, a read waits for them, at most so many turns. */
const TURNS = 4;

interface Waiting<V> {
  readonly answer: Promise<V | undefined>;
  readonly resolve: (value: V | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export class SharedReads<K, V> {
  readonly #read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>;
  #waiting = new Map<K, Waiting<V>>();
  #callers = 0;
  #runs = false;

  /** `read` answers those of the keys that there are. What it throws, all who wait for these keys are told. */
  constructor(read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>) {
    this.#read = read;
  }

  /** Undefined for a key that `read` did not answer. Callers get the same value: they do not mutate it. */
  get(key: K): Promise<V | undefined> {
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
      await this.#gathered();
      const batch = this.#take();
      try {
        const found = await this.#read([...batch.keys()]);
        for (const [key, { resolve }] of batch) resolve(found.get(key));
      } catch (error) {
        for (const { reject } of batch.values()) reject(error);
      }
    }
    this.#runs = false;
  }

  /** Resolves at the end of a turn in which nobody came: a busy server reads once for all who come together. */
  async #gathered(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn += 1) {
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
