/**
 * Reads that callers share, for answers that must never be older than the question: a caller that comes while a read
 * runs waits for the next one, so what it gets was read after it asked. However many ask, one read runs at a time.
 */

/** Keys in one read, so that its answer does not hold up the event loop. */
const MOST_KEYS = 500;

interface Waiting<V> {
  readonly answer: Promise<V | undefined>;
  readonly resolve: (value: V | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export class SharedReads<K, V> {
  readonly #read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>;
  #waiting = new Map<K, Waiting<V>>();
  #runs = false;

  /** `read` answers those of the keys that there are. What it throws, all who wait for these keys are told. */
  constructor(read: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>) {
    this.#read = read;
  }

  /** Undefined for a key that `read` did not answer. Callers get the same value: they do not mutate it. */
  get(key: K): Promise<V | undefined> {
    let waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      waiting = newWaiting<V>();
      this.#waiting.set(key, waiting);
      // At the end of the turn of the event loop: what else arrives in it shares the read.
      if (!this.#runs) setImmediate(() => void this.#run());
      this.#runs = true;
    }
    return waiting.answer;
  }

  async #run(): Promise<void> {
    while (this.#waiting.size > 0) {
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

function newWaiting<V>(): Waiting<V> {
  let resolve: Waiting<V>['resolve'] = () => undefined;
  let reject: Waiting<V>['reject'] = () => undefined;
  const answer = new Promise<V | undefined>((...both) => ([resolve, reject] = both));
  return { answer, resolve, reject };
}
