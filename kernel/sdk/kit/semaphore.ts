import { nextTurn, turnIsOver } from './turns.js';

/**
 * Runs at most `limit` pieces of work of one key at a time; the others wait in the order of their arrival. Work that
 * waited leaves the event loop its turns.
 */
export class Semaphore {
  /** By key. An entry is here while a place of it is taken. */
  readonly #lanes = new Map<string, Lane>();
  readonly #limit: number;
  readonly #bound: Bound | undefined;

  /** `limit` is of each key. Without a bound any number wait. */
  constructor(limit: number, bound?: Bound) {
    this.#limit = limit;
    this.#bound = bound;
  }

  /** Throws what `full` makes, or the reason of a signal that is aborted while it waits; then `work` is not called. */
  async run<T>(work: () => Promise<T>, entry?: Entry): Promise<T> {
    const release = await this.acquire(entry);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** For work that is no single function: resolves to the function that gives the place back. Throws like `run`. */
  async acquire({ key = '', signal }: Entry = {}): Promise<() => void> {
    signal?.throwIfAborted();
    const lane = this.#lanes.get(key) ?? { running: 0, waiting: new Set() };
    if (lane.running < this.#limit) {
      lane.running += 1;
      this.#lanes.set(key, lane);
    } else {
      if (this.#bound !== undefined && lane.waiting.size >= this.#bound.queue) throw this.#bound.full(key);
      await turnIn(lane, signal);
      if (turnIsOver()) await nextTurn();
    }
    let isHeld = true;
    return () => {
      if (isHeld) this.#release(key, lane);
      isHeld = false;
    };
  }

  /** Hands the place on to the first that waits. */
  #release(key: string, lane: Lane): void {
    const [next] = lane.waiting;
    if (next !== undefined) next();
    else if ((lane.running -= 1) === 0) this.#lanes.delete(key);
  }
}

function turnIn({ waiting }: Lane, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      waiting.delete(enter);
      reject(signal?.reason as Error);
    };
    const enter = (): void => {
      waiting.delete(enter);
      signal?.removeEventListener('abort', leave);
      resolve();
    };
    waiting.add(enter);
    signal?.addEventListener('abort', leave, { once: true });
  });
}

interface Lane {
  running: number;
  /** In the order of arrival; each takes over the place of one that ran. */
  readonly waiting: Set<() => void>;
}

interface Entry {
  /** Work of different keys does not wait for each other. */
  readonly key?: string | undefined;
  /** Aborted: stops waiting. Work that runs is not interrupted. */
  readonly signal?: AbortSignal | undefined;
}

interface Bound {
  /** How many may wait, of each key; `full` makes the error for the next one. */
  readonly queue: number;
  readonly full: (key: string) => Error;
}
