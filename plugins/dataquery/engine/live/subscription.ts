/** One subscription: who is told of what, and how far they are. */
import type { ServiceError } from 'plugboard/sdk';
import type { Caller } from '../policies/caller.js';
import type { Placed, ToldChange } from './told-change.js';
import type { Wanted } from './view.js';

export interface Listener {
  tell(change: ToldChange): void;
  /** Changes were missed: what was read before is to be read again. */
  missed(): void;
  /** Nothing more is told. */
  end(error: ServiceError): void;
}

/** Changes that wait until all before them are told. */
const MOST_HELD = 10_000;

export class Subscription {
  caller: Caller;
  readonly wanted: Wanted;
  readonly #listener: Listener;
  readonly #closing = new AbortController();
  readonly #leave: () => void;
  /** From here on the shared feed is listened to. */
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

  /** Whether all that it is told comes from the shared feed. */
  get isLive(): boolean {
    return this.#held === undefined;
  }

  /** Where in a batch of the shared feed its own changes begin; undefined where there are none. */
  live(batch: readonly Placed[]): number | undefined {
    if (this.#mark === undefined) return 0;
    const at = batch.findIndex(({ change }) => change._id === this.#mark);
    if (at === -1) return undefined;
    this.#mark = undefined;
    return at + 1;
  }

  /** Of the shared feed. */
  tell(changes: readonly (ToldChange | undefined)[]): void {
    for (const change of changes) {
      if (change === undefined || this.signal.aborted) continue;
      if (this.#held === undefined) this.#listener.tell(change);
      else if (this.#held.length < MOST_HELD) this.#held.push(change);
      else this.missed();
    }
  }

  /** Of what came while the subscriber was away. */
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

  /** Safe twice. */
  close(): void {
    this.#closing.abort();
    this.#leave();
  }
}
