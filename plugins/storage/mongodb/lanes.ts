/** Transactions that lost a conflict over one collection run again one at a time: together they would only meet again. */
import { setTimeout as delay } from 'node:timers/promises';

export class Lanes {
  /** By collection: resolves when the last one in its lane has left. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Resolves when those before have left, after `patience` milliseconds at most; what it resolves to leaves the lane. */
  async enter(collection: string, patience: number): Promise<() => void> {
    let leave = (): void => {};
    const left = new Promise<void>((resolve) => (leave = resolve));
    const before = this.#last.get(collection) ?? Promise.resolve();
    const last = before.then(() => left);
    this.#last.set(collection, last);
    void last.then(() => {
      if (this.#last.get(collection) === last) this.#last.delete(collection);
    });
    const turn = new AbortController();
    await Promise.race([before, delay(patience, undefined, { signal: turn.signal }).catch(() => {})]);
    turn.abort();
    return leave;
  }
}
