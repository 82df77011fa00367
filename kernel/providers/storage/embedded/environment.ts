/**
 * The lmdb files: four ordered key spaces, snapshots to read and one way to write. The raw handles stay in
 * here, for their traps: only `transactionSync` rolls back on a throw, and a callback that returns a promise
 * would never commit.
 */
import { mkdirSync } from 'node:fs';
import { open, TransactionFlags, type RootDatabase } from 'lmdb';
import { StorageError } from '../../../sdk/storage.js';
import { DocumentCache, type ChangedDocument } from './document-cache.js';
import { KeySpace, type Range, type Walk } from './key-space.js';

/** `documents`: [collection][id]. `indexes`: [index][values][id]. `changes`: [sequence]. `catalog`: definitions and counters. */
export type Space = 'documents' | 'indexes' | 'changes' | 'catalog';

export interface Reader {
  /** Valid until the next read of the environment: decode or copy it at once. */
  get(space: Space, key: Buffer): Buffer | undefined;
  /** As `get`, and quicker: the buffer goes on behind the value. For what knows its own end, as BSON does. */
  peek(space: Space, key: Buffer): Buffer | undefined;
  walk(space: Space, range: Range): Walk;
  /** How many keys the range holds, without reading them one by one. */
  count(space: Space, range: Range): number;
  /** Documents of this state that are decoded already, where it is the state that the cache keeps. */
  readonly cache?: DocumentCache | undefined;
}

export interface Writer extends Reader {
  put(space: Space, key: Buffer, value: Buffer): void;
  remove(space: Space, key: Buffer): void;
}

export interface Snapshot extends Reader {
  release(): void;
}

export class Environment {
  readonly directory: string;
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #spaces: Readonly<Record<Space, KeySpace>>;
  readonly #sync: boolean;
  readonly #cache: DocumentCache;
  /** What the running transaction has changed; `undefined`: everything. */
  #changed: ChangedDocument[] | undefined;
  #fresh = false;
  #turn = 0;
  #closed = false;

  /** `sync`: whether a commit waits for the disk. `cacheBytes`: how much of the documents is kept decoded. */
  constructor(directory: string, options: { sync: boolean; cacheBytes: number }) {
    this.directory = directory;
    this.#sync = options.sync;
    this.#cache = new DocumentCache(options.cacheBytes);
    this.#latest = { ...this.#current, cache: this.#cache };
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      this.#root = open<Buffer, Buffer>({
        path: directory,
        noSubdir: false,
        encoding: 'binary',
        keyEncoding: 'binary',
        // Commits are written to disk in order, before they are answered.
        overlappingSync: false,
        maxReaders: 512,
      });
      this.#spaces = {
        documents: new KeySpace(this.#root, 'documents'),
        indexes: new KeySpace(this.#root, 'indexes'),
        changes: new KeySpace(this.#root, 'changes'),
        catalog: new KeySpace(this.#root, 'catalog'),
      };
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** The newest committed state, also of other processes; the same for the whole turn of the event loop. */
  get latest(): Reader {
    if (this.#closed) throw new StorageError('unavailable', 'the store is closed');
    if (!this.#fresh) {
      this.#renew();
      this.#fresh = true;
      this.#turn++;
      setImmediate(() => (this.#fresh = false));
    }
    return this.#latest;
  }

  /** lmdb keeps a read transaction for a millisecond or longer; another process may have committed since. */
  #renew(): void {
    this.#root.resetReadTxn();
    this.#cache.moveTo(this.#commits());
  }

  /** How many commits the state has that is read now. */
  #commits(): number {
    return this.#spaces.catalog.peek(COMMITS)?.readDoubleBE(0) ?? 0;
  }

  /** Counts the states that `latest` has shown. */
  get turn(): number {
    return this.#turn;
  }

  readonly #current: Reader = {
    get: (space, key) => this.#spaces[space].get(key),
    peek: (space, key) => this.#spaces[space].peek(key),
    walk: (space, range) => this.#spaces[space].walk(range),
    count: (space, range) => this.#spaces[space].count(range),
  };

  readonly #latest: Reader;

  /** One state for as long as it is held; release it soon, the space of what is deleted meanwhile stays taken. */
  snapshot(): Snapshot {
    void this.latest;
    this.#renew();
    const transaction = this.#root.useReadTransaction();
    const cache = this.#cache;
    const { commit } = cache;
    return {
      get cache() {
        return cache.commit === commit ? cache : undefined;
      },
      get: (space, key) => this.#spaces[space].get(key, transaction),
      peek: (space, key) => this.#spaces[space].peek(key, transaction),
      walk: (space, range) => this.#spaces[space].walk(range, transaction),
      count: (space, range) => this.#spaces[space].count(range, transaction),
      release: () => transaction.done(),
    };
  }

  /** Runs `work` in the one write transaction that there is, and commits. A throw leaves nothing behind. */
  write(work: (writer: Writer) => void): void {
    if (this.#closed) throw new StorageError('unavailable', 'the store is closed');
    this.#fresh = false;
    this.#changed = [];
    let commit = 0;
    this.#root.transactionSync(
      () => {
        commit = this.#commits() + 1;
        work(this.#writer);
        const count = Buffer.allocUnsafe(8);
        count.writeDoubleBE(commit);
        this.#spaces.catalog.put(COMMITS, count);
      },
      this.#sync ? DURABLE : UNSYNCED,
    );
    if (this.#changed !== undefined) this.#cache.changes(commit, this.#changed);
  }

  readonly #writer: Writer = {
    ...this.#current,
    put: (space, key, value) => {
      if (space === 'documents') this.#changed?.push(documentAt(key));
      this.#spaces[space].put(key, value);
    },
    remove: (space, key) => {
      if (space === 'documents') this.#changed?.push(documentAt(key));
      this.#spaces[space].remove(key);
    },
  };

  /** Copies the newest state into an empty folder while the store is used. */
  async backup(directory: string): Promise<void> {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    await this.#root.backup(directory, true);
  }

  /** Empties a key space; only inside `write`. */
  clear(space: Space): void {
    this.#changed = undefined;
    this.#spaces[space].clear();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#root.close();
  }
}

/** The key in the catalog under which all processes count the commits. */
const COMMITS = Buffer.from('commits');

const { ABORTABLE, SYNCHRONOUS_COMMIT, NO_SYNC_FLUSH } = TransactionFlags;
const DURABLE: TransactionFlags = ABORTABLE | SYNCHRONOUS_COMMIT;
const UNSYNCED: TransactionFlags = DURABLE | NO_SYNC_FLUSH;

function documentAt(key: Buffer): ChangedDocument {
  return { collection: key.readUInt32BE(0), id: key.toString('utf8', 4) };
}

export function sameBytes(a: Buffer | undefined, b: Buffer | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.equals(b);
}

/** What lmdb or the file system threw, as the port's error. */
export function unavailable(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const message = /No space left|ENOSPC/.test(reason)
    ? 'the disk is full: the embedded store took nothing of this write; make room, it goes on by itself'
    : `the embedded store failed: ${reason}`;
  return new StorageError('unavailable', message, { cause: error });
}
