/** Change feeds on a standalone server: this instance's own writes, kept in memory for a while. */
import { randomUUID } from 'node:crypto';
import { type Change, type ChangeFeed, type Document, type ResumeToken, StorageError } from 'plugboard/sdk';
import type { FeedOptions } from './change-feed.js';

/** Changes kept for feeds that resume. */
const KEPT = 10_000;

type Written<D extends Document> = { readonly id: string; readonly document: D | null };

/** One collection's history, from the first feed on. */
export class LocalChanges<D extends Document> {
  readonly #origin = randomUUID();
  readonly #waiting = new Set<() => void>();
  #history: Written<D>[] = [];
  /** Sequence number of the first change in the history. */
  #first = 0;
  /** No feed was opened yet, so writes need not be followed. */
  followed = false;
  #last: Promise<unknown> = Promise.resolve();

  /** Serializes writes, so that the history has their order. */
  inOrder<T>(write: () => Promise<T>): Promise<T> {
    const result = this.#last.then(write);
    this.#last = result.catch(() => {});
    return result;
  }

  record(changes: readonly Written<D>[]): void {
    this.#history.push(...changes);
    const surplus = this.#history.length - KEPT;
    if (surplus > 0) {
      this.#history.splice(0, surplus);
      this.#first += surplus;
    }
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  open({ after, signal }: FeedOptions): ChangeFeed<D> {
    this.followed = true;
    const feed = new LocalFeed<D>(
      this,
      after === undefined ? this.#first + this.#history.length : this.#placeOf(after),
    );
    if (signal?.aborted) void feed.close();
    signal?.addEventListener('abort', () => void feed.close(), { once: true });
    return feed;
  }

  /** The change at a position, once there is one; undefined if `closed` settles first. */
  async at(place: number, closed: AbortSignal): Promise<Change<D> | undefined> {
    while (place >= this.#first + this.#history.length) {
      if (closed.aborted) return undefined;
      await new Promise<void>((wake) => {
        this.#waiting.add(wake);
        closed.addEventListener('abort', () => wake(), { once: true });
      });
    }
    if (closed.aborted) return undefined;
    const written = this.#history[place - this.#first];
    if (written === undefined) throw lost();
    const token = this.tokenAt(place + 1);
    return written.document === null
      ? { kind: 'delete', id: written.id, token }
      : { kind: 'put', id: written.id, document: structuredClone(written.document), token };
  }

  tokenAt(place: number): ResumeToken {
    return `${this.#origin}:${place}` as ResumeToken;
  }

  #placeOf(token: ResumeToken): number {
    const [origin, place = ''] = token.split(':');
    if (origin !== this.#origin || Number(place) < this.#first) throw lost();
    return Number(place);
  }
}

class LocalFeed<D extends Document> implements ChangeFeed<D> {
  readonly #changes: LocalChanges<D>;
  readonly #closing = new AbortController();
  #place: number;

  constructor(changes: LocalChanges<D>, place: number) {
    this.#changes = changes;
    this.#place = place;
  }

  get token(): ResumeToken {
    return this.#changes.tokenAt(this.#place);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Change<D>> {
    for (;;) {
      const change = await this.#changes.at(this.#place, this.#closing.signal);
      if (change === undefined) return;
      this.#place++;
      yield change;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
  }
}

function lost(): StorageError {
  return new StorageError(
    'history_lost',
    'a standalone server keeps no history of changes beyond this process; read everything again',
  );
}
