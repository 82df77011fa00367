/**
 * The lmdb environment: four ordered key spaces, read snapshots, and one way to write. The raw handles stay private
 * because they have traps: only `transactionSync` rolls back on a throw, and a callback that returns a promise never
 * commits.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RootDatabase, Transaction } from 'lmdb';
import { makeFolder } from 'plugboard/sdk';
import { bootId } from './log/boot-id.js';
import { DATA } from './log/checkpoint.js';
import { DocumentCache, type ChangedDocument } from './cache/document-cache.js';
import { Durability, UNSYNCED, type Held } from './log/durability.js';
import { assertRoom, closed, fullDisk, opened } from './failures.js';
import { FolderLock } from './opening/folder-lock.js';
import { HeldReads } from './held-reads.js';
import { encodeIdentity, IDENTITY } from './opening/identity.js';
import type { KeySpace, Range, Space, Walk } from './key-space.js';
import { leaveFiles, openFiles, type Files } from './opening/open-files.js';
import { assertFiles } from './opening/own-files.js';
import { Recording } from './log/record.js';

export interface Reader {
  /** Valid until the next read of the environment: decode or copy it at once. */
  get(space: Space, key: Buffer): Buffer | undefined;
  /** Like `get` but faster: the buffer extends past the value. For formats that know their own length, such as BSON. */
  peek(space: Space, key: Buffer): Buffer | undefined;
  walk(space: Space, range: Range): Walk;
  /** The number of keys in the range, counted without reading each one. */
  count(space: Space, range: Range): number;
  /** The cache of decoded documents, if it holds this state. */
  readonly cache?: DocumentCache | undefined;
}

export interface Writer extends Reader {
  put(space: Space, key: Buffer, value: Buffer): void;
  remove(space: Space, key: Buffer): void;
}

export interface Snapshot extends Reader {
  /** The last commit that the snapshot includes. */
  readonly sequence: number;
  release(): void;
}

export interface EnvironmentOptions {
  /** Whether commits wait for the disk. */
  readonly sync: boolean;
  /** Capacity of the document cache, in bytes of stored size. */
  readonly cacheBytes: number;
  /** In commits: smaller takes less disk space, larger takes less time. */
  readonly checkpointEvery?: number;
  /** See `bootId`; tests simulate a reboot with it. */
  readonly boot?: string;
}

export class Environment {
  readonly directory: string;
  readonly #lock: FolderLock;
  readonly #files: Files;
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #spaces: Readonly<Record<Space, KeySpace>>;
  readonly #reads: HeldReads;
  readonly #durability: Durability;
  readonly #recording = new Recording();
  readonly #cache: DocumentCache;
  /** Documents changed by the current transaction; `undefined` means all. */
  #changed: ChangedDocument[] | undefined;
  /** The read transaction of `latest`; undefined: the next read begins a new one. */
  #shown: Shown | undefined;
  #turn = 0;
  /** Copies in progress, in threads of lmdb. */
  readonly #copies = new Set<Promise<void>>();
  #closed = false;

  constructor(
    directory: string,
    { sync, cacheBytes, checkpointEvery = 200, boot = bootId() }: EnvironmentOptions,
  ) {
    this.directory = directory;
    this.#cache = new DocumentCache(cacheBytes);
    this.#latest = { ...this.#current, cache: this.#cache };
    this.#lock = opened(() => {
      makeFolder(directory, 0o700);
      assertRoom(directory);
      assertFiles(directory);
      return new FolderLock(directory);
    });
    this.#files = opened(
      () => openFiles(directory, boot),
      () => void this.#lock.release(),
    );
    const { root, spaces, ...identity } = this.#files;
    this.#root = root;
    this.#spaces = spaces;
    this.#reads = new HeldReads(root);
    this.#durability = opened(
      () => new Durability({ directory, sync, root, reads: this.#reads, identity, checkpointEvery, boot }),
      () => void root.close().then(() => this.#lock.release()),
    );
    this.commit((writer) => writer.put('catalog', IDENTITY, encodeIdentity(identity)))?.catch(() => {});
    this.#durability.settleNow();
  }

  /** One line about the recovery of a store that was not closed; undefined if none was needed. */
  get recovery(): string | undefined {
    return this.#files.recovery;
  }

  /** Whether indexes may disagree with documents: after a crash, or a change of the files by another program. */
  get doubtful(): boolean {
    return this.#files.doubtful;
  }

  /** Size of the data file in bytes. */
  get size(): number {
    return statSync(join(this.directory, DATA)).size;
  }

  /** The id of the store in hex: random, and the same in its backups. */
  get store(): string {
    return this.#files.store;
  }

  /** The newest committed state; stable within one turn of the event loop. */
  get latest(): Reader {
    if (this.#closed) throw closed();
    if (this.#shown === undefined || this.#shown.notCurrent === true) this.#renew();
    return this.#latest;
  }

  #renew(): void {
    this.#letGo();
    this.#root.resetReadTxn();
    this.#shown = this.#root.useReadTransaction();
    this.#cache.moveTo(this.#durability.sequence);
    this.#turn++;
    setImmediate(() => this.#letGo());
  }

  #letGo(): void {
    this.#shown?.done();
    this.#shown = undefined;
  }

  /** The sequence number of the last commit. */
  get sequence(): number {
    return this.#durability.sequence;
  }

  /** Counts the states returned by `latest`. */
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

  /** One state, fixed until released. Release it soon: space freed meanwhile cannot be reused. */
  snapshot(): Snapshot {
    void this.latest;
    const held = this.#reads.begin();
    const cache = this.#cache;
    const { commit } = cache;
    return {
      sequence: this.#durability.sequence,
      get cache() {
        return cache.commit === commit ? cache : undefined;
      },
      get: (space, key) => this.#spaces[space].get(key, held.transaction),
      peek: (space, key) => this.#spaces[space].peek(key, held.transaction),
      walk: (space, range) => this.#spaces[space].walk(range, held),
      count: (space, range) => this.#spaces[space].count(range, held.transaction),
      release: () => held.release(),
    };
  }

  /**
   * Runs `work` in the single write transaction and commits: readers see it once the call returns. A throw rolls
   * back. Resolves when the commit is durable; without `sync`, at once.
   */
  commit(work: (writer: Writer) => void): Promise<void> | undefined {
    if (this.#closed) throw closed();
    this.#commit(work);
    return this.#durability.settle();
  }

  #commit(work: (writer: Writer) => void): void {
    this.#letGo();
    this.#recording.begin();
    this.#changed = [];
    try {
      this.#root.transactionSync(() => {
        work(this.#writer);
        if (!this.#recording.empty) this.#durability.record(this.#recording);
      }, UNSYNCED);
    } catch (error) {
      this.#durability.failed();
      throw fullDisk(error, this.directory);
    }
    const sequence = this.#durability.committed();
    if (sequence !== undefined && this.#changed !== undefined) this.#cache.changes(sequence, this.#changed);
  }

  /** Resolves when everything in `latest` is durable; without `sync`, at once. */
  async settled(): Promise<void> {
    await this.#durability.settle();
  }

  /** The meta pages of the newest state, whose pages lmdb does not reuse until it is released. */
  hold(): Held {
    return this.#durability.hold();
  }

  readonly #writer: Writer = {
    ...this.#current,
    walk: (space, range) => this.#spaces[space].walkInWrite(range),
    put: (space, key, value) => {
      if (space === 'documents') this.#changed?.push(documentAt(key));
      this.#spaces[space].put(key, value);
      this.#recording.put(space, key, value);
    },
    remove: (space, key) => {
      if (space === 'documents') this.#changed?.push(documentAt(key));
      this.#spaces[space].remove(key);
      this.#recording.remove(space, key);
    },
  };

  /** Copies the newest state into an empty folder while the store is in use. */
  async copyTo(directory: string): Promise<void> {
    if (this.#closed) throw closed();
    const copy = this.#root.backup(directory, true);
    this.#copies.add(copy);
    await copy.finally(() => this.#copies.delete(copy));
  }

  /** Empties a key space; only inside `commit`. */
  clear(space: Space): void {
    this.#changed = undefined;
    this.#spaces[space].clear();
    this.#recording.clear(space);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#letGo();
    const { directory } = this;
    const { root, store } = this.#files;
    const complete = existsSync(directory) && (await this.#stop());
    await Promise.allSettled(this.#copies);
    this.#reads.endAll();
    await root.close();
    this.#durability.close();
    if (complete) leaveFiles(directory, store);
    await this.#lock.release();
  }

  /** Whether the data file is complete; then the log and the checkpoint are removed. */
  async #stop(): Promise<boolean> {
    try {
      this.#commit((writer) =>
        writer.put('catalog', IDENTITY, encodeIdentity({ store: this.store, opening: 0 })),
      );
    } catch {
      // The disk is full: the next opening recovers the store.
      await this.#durability.stop();
      return false;
    }
    return this.#durability.stop();
  }
}

/** The transaction of lmdb's own reads, while current: lmdb's timer may end it in the middle of a turn. */
type Shown = Transaction & { readonly notCurrent?: boolean };

function documentAt(key: Buffer): ChangedDocument {
  return { collection: key.readUInt32BE(0), id: key.toString('utf8', 4) };
}
