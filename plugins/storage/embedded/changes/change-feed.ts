/** A collection's changes as they are committed. */
import { type Change, type ChangeFeed, type Document, type ResumeToken, StorageError } from 'plugboard/sdk';
import { decode } from '../../bson/decode.js';
import type { ChangeLog } from './change-log.js';
import type { Environment } from '../lmdb/environment.js';

const CHANGES_PER_READ = 256;

/** Wakes feeds that wait for a commit. */
export class Commits {
  #waiting: (() => void)[] = [];

  announce(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  /** Resolves at the next commit, or when aborted. */
  next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      signal.addEventListener('abort', wake, { once: true });
      this.#waiting.push(wake);
    });
  }
}

export class LogFeed<D extends Document> implements ChangeFeed<D> {
  readonly #environment: Environment;
  readonly #log: ChangeLog;
  readonly #commits: Commits;
  readonly #collection: number;
  readonly #closing = new AbortController();
  readonly #signal: AbortSignal;
  #position: number;

  constructor(
    source: { environment: Environment; log: ChangeLog; commits: Commits },
    collection: number,
    position: number,
    signal: AbortSignal | undefined,
  ) {
    this.#environment = source.environment;
    this.#log = source.log;
    this.#commits = source.commits;
    this.#collection = collection;
    this.#position = position;
    this.#signal = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
  }

  get token(): ResumeToken {
    return toToken(this.#position);
  }

  close(): Promise<void> {
    this.#closing.abort();
    return Promise.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Change<D>> {
    while (!this.#signal.aborted) {
      const changes = this.#log.after(this.#environment.latest, this.#position, CHANGES_PER_READ);
      // A delivered change must survive a crash.
      if (changes.length > 0) await this.#environment.settled();
      for (const { sequence, collection, id, document } of changes) {
        if (this.#signal.aborted) return;
        this.#position = sequence;
        if (collection !== this.#collection) continue;
        const token = toToken(sequence);
        yield document === null
          ? { kind: 'delete', id, token }
          : { kind: 'put', id, document: decode(document) as unknown as D, token };
      }
      if (changes.length === 0) await this.#commits.next(this.#signal);
    }
  }
}

function toToken(sequence: number): ResumeToken {
  return `embedded:${sequence}` as ResumeToken;
}

export function fromToken(token: ResumeToken): number {
  const sequence = /^embedded:(\d{1,15})$/.exec(token)?.[1];
  if (sequence === undefined) throw new StorageError('history_lost', `invalid resume token "${token}"`);
  return Number(sequence);
}
