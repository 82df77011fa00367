/** One subscription: its listener, views and position. */
import type { ServiceError } from 'plugboard/sdk';
import type { Caller } from '../policies/caller.js';
import type { Placed, ToldChange } from './told-change.js';
import type { Wanted } from './view.js';

export interface Listener {
  tell(change: ToldChange): void;
  /** Changes were missed: earlier reads must be repeated. */
  missed(): void;
  /** No more changes. */
  end(error: ServiceError): void;
}

/** Changes that wait until all before them are sent. */
const MOST_HELD = 10_000;

export class Subscription {
  caller: Caller;
  readonly wanted: Wanted;
  readonly #listener: Listener;
  readonly #closing = new AbortController();
  readonly #leave: () => void;
  /** The shared feed is used from this mark on. */
  #mark: string | undefined;
  /** What the shared feed brought before the replay was over. */
  #held: ToldChange[] | undefined;

  constructor(
    caller: Caller,
    wanted: Wanted,
    listener: Listener,
    mark: string | undefined,
    leave: () => void,
  ) {
    this.caller = caller;
    this.wanted = wanted;
    this.#listener = listener;
    this.#mark = mark;
    this.#held = mark === undefined ? undefined : [];
    this.#leave = leave;
  }

  /** Aborted when it is closed. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Whether all its changes come from the shared feed. */
  get isLive(): boolean {
    return this.#held === undefined;
  }

  /** Where its own changes begin in a batch of the shared feed; undefined if there are none. */
  live(batch: readonly Placed[]): number | undefined {
    if (this.#mark === undefined) return 0;
    const at = batch.findIndex(({ change }) => change._id === this.#mark);
    if (at === -1) return undefined;
    this.#mark = undefined;
    return at + 1;
  }

  /** From the shared feed. */
  tell(changes: readonly (ToldChange | undefined)[]): void {
    for (const change of changes) {
      if (change === undefined || this.signal.aborted) continue;
      if (this.#held === undefined) this.#listener.tell(change);
      else if (this.#held.length < MOST_HELD) this.#held.push(change);
      else this.missed();
    }
  }

  /** From while the subscriber was away. */
  replay(changes: readonly (ToldChange | undefined)[]): void {
    for (const change of changes)
      if (change !== undefined && !this.signal.aborted) this.#listener.tell(change);
  }

  caughtUp(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.tell(held);
  }

  missed(): void {
    this.#mark = undefined;
    this.#held = undefined;
    if (!this.signal.aborted) this.#listener.missed();
  }

  end(error: ServiceError): void {
    if (this.signal.aborted) return;
    this.close();
    this.#listener.end(error);
  }

  /** Idempotent. */
  close(): void {
    this.#closing.abort();
    this.#leave();
  }
}
