import { nextTurn, turnIsOver } from './turns.js';

/**
 * Runs at most `limit` pieces of work per key at a time; the others wait in order of arrival. Work that waited yields
 * to the event loop.
 */
export class Semaphore {
  /** By key, while a slot of the key is taken. */
  readonly #lanes = new Map<string, Lane>();
  readonly #limit: number;
  readonly #bound: Bound | undefined;

  /** `limit` is per key. Without a bound any number may wait. */
  constructor(limit: number, bound?: Bound) {
    this.#limit = limit;
    this.#bound = bound;
  }

  /** Throws the error of `full`, or the reason of a signal aborted while it waits; then `work` is not called. */
  async run<T>(work: () => Promise<T>, entry?: Entry): Promise<T> {
    const release = await this.acquire(entry);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** For work that is not a single function: resolves to the release function. Throws like `run`. */
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

  /** Hands the slot to the first in the queue. */
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
  /** In order of arrival; each takes over a released slot. */
  readonly waiting: Set<() => void>;
}

interface Entry {
  /** Work of different keys never waits for each other. */
  readonly key?: string | undefined;
  /** Aborting ends the wait. Running work is not interrupted. */
  readonly signal?: AbortSignal | undefined;
}

interface Bound {
  /** How many may wait per key; `full` makes the error for the next one. */
  readonly queue: number;
  readonly full: (key: string) => Error;
}
