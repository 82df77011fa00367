/**
 * The lmdb files: four ordered key spaces, snapshots to read and one way to write. The raw handles stay in
 * here, for their traps: only `transactionSync` rolls back on a throw, and a callback that returns a promise
 * would never commit.
 */
import { mkdirSync, statfsSync } from 'node:fs';
import { open, type RootDatabase, type Transaction } from 'lmdb';
import { StorageError } from '../../../../sdk/storage.js';
import { restoreNewest } from './checkpoint.js';
import { DocumentCache, type ChangedDocument } from './document-cache.js';
import { Durability, UNSYNCED, type DurabilityOptions } from './durability.js';
import { KeySpace, type Range, type Space, type Walk } from './key-space.js';
import { Occupancy } from './occupancy.js';
import { Recording, type Operation } from './write-ahead-log.js';

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

export interface EnvironmentOptions {
  /** Whether a commit waits for the disk. */
  readonly sync: boolean;
  /** How much of the documents is kept decoded, in bytes as they are stored. */
  readonly cacheBytes: number;
  /** In commits: fewer take less room on disk, more take less time. */
  readonly checkpointEvery?: number;
}

export class Environment {
  readonly directory: string;
  readonly #sync: boolean;
  readonly #occupancy: Occupancy;
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #spaces: Readonly<Record<Space, KeySpace>>;
  readonly #durability: Durability;
  readonly #recording = new Recording();
  readonly #cache: DocumentCache;
  /** What the running transaction has changed; `undefined`: everything. */
  #changed: ChangedDocument[] | undefined;
  /** The state that `latest` shows; undefined: the next one to read it asks for a newer one. */
  #shown: Shown | undefined;
  #turn = 0;
  #closed = false;

  constructor(directory: string, { sync, cacheBytes, checkpointEvery = 200 }: EnvironmentOptions) {
    this.directory = directory;
    this.#sync = sync;
    this.#cache = new DocumentCache(cacheBytes);
    this.#latest = { ...this.#current, cache: this.#cache };
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      this.#occupancy = new Occupancy(directory);
      const { root, spaces, durability } = openFiles(directory, this.#occupancy, {
        sync,
        checkpointEvery,
        moved: () => this.#letGo(),
      });
      this.#root = root;
      this.#spaces = spaces;
      this.#durability = durability;
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** The newest committed state, also of other processes; the same for the whole turn of the event loop. */
  get latest(): Reader {
    if (this.#closed) throw new StorageError('unavailable', 'the store is closed');
    if (this.#shown === undefined || this.#shown.notCurrent === true) this.#renew();
    return this.#latest;
  }

  /** lmdb keeps a read transaction for a millisecond or longer; another process may have committed since. */
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

  /** Undefined when `commit` may be called at once; else a promise of it. */
  ready(): Promise<void> | undefined {
    return this.#durability.ready ? undefined : this.#durability.checkpoint();
  }

  /**
   * Runs `work` in the one write transaction that there is, and commits: everybody sees it when the call returns.
   * A throw leaves nothing behind. Resolves when the disk has it; without `sync` at once.
   */
  commit(work: (writer: Writer) => void): Promise<void> | undefined {
    if (this.#closed) throw new StorageError('unavailable', 'the store is closed');
    this.#letGo();
    this.#recording.begin();
    this.#changed = [];
    try {
      this.#root.transactionSync(() => {
        const before = this.#durability.progress();
        work(this.#writer);
        if (!this.#recording.empty) this.#durability.record(this.#recording, before);
      }, UNSYNCED);
    } catch (error) {
      this.#durability.failed();
      throw this.#explained(error);
    }
    const sequence = this.#durability.committed();
    if (sequence !== undefined && this.#changed !== undefined) this.#cache.changes(sequence, this.#changed);
    return this.#sync ? this.#durability.settle() : undefined;
  }

  /** Where some pages of a write still found room, lmdb calls it an input/output error. */
  #explained(error: unknown): unknown {
    if (!(error instanceof Error) || !/Input\/output error/.test(error.message)) return error;
    const { bavail, bsize } = statfsSync(this.directory);
    return bavail * bsize < ALMOST_FULL ? new Error('No space left on device', { cause: error }) : error;
  }

  /** The same, and waits for the disk on the spot: for what happens at start and by hand. */
  write(work: (writer: Writer) => void): void {
    if (!this.#durability.ready) this.#durability.checkpointNow();
    this.commit(work)?.catch(() => {});
    if (this.#sync) this.#durability.settleNow();
  }

  /** Resolves when what `latest` shows is on disk, whoever wrote it; without `sync` at once. */
  async settled(): Promise<void> {
    if (this.#sync) await this.#durability.settleLatest();
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

  /** Copies the newest state into an empty folder while the store is used. */
  async backup(directory: string): Promise<void> {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    await this.#root.backup(directory, true);
  }

  /** Empties a key space; only inside `write`. */
  clear(space: Space): void {
    this.#changed = undefined;
    this.#spaces[space].clear();
    this.#recording.clear(space);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#letGo();
    await this.#durability.stop();
    await this.#root.close();
    await this.#occupancy.leave((last) => this.#durability.close(last));
  }
}

const ALMOST_FULL = 2 ** 16;
/**
 * In pages. At every commit lmdb goes through all free pages that it has in memory, which after a large batch takes
 * longer than all else. Its declaration leaves the options out.
 */
const FREE_SPACE: object = { maxFreeSpaceToLoad: 1000, maxFreeSpaceToRetain: 300 };

/** What lmdb's own reads use, as long as it is current: a timer of lmdb's may end that in the middle of a turn. */
type Shown = Transaction & { readonly notCurrent?: boolean };

interface Files {
  readonly root: RootDatabase<Buffer, Buffer>;
  readonly spaces: Readonly<Record<Space, KeySpace>>;
  readonly durability: Durability;
}

/** The first process puts back what a crash may have left half done. */
function openFiles(
  directory: string,
  occupancy: Occupancy,
  options: Pick<DurabilityOptions, 'sync' | 'checkpointEvery' | 'moved'>,
): Files {
  let files: Files | undefined;
  occupancy.enter((first) => {
    const crashed = first && restoreNewest(directory);
    const root = open<Buffer, Buffer>({
      path: directory,
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
      overlappingSync: false,
      maxReaders: 512,
      ...FREE_SPACE,
    });
    // In one transaction, that a new store waits for the disk once.
    const spaces = root.transactionSync(() => openSpaces(root));
    const durability = new Durability({ directory, root, catalog: spaces.catalog, ...options });
    if (crashed) durability.recover((operation) => apply(spaces, operation));
    files = { root, spaces, durability };
  });
  return files!;
}

function openSpaces(root: RootDatabase<Buffer, Buffer>): Files['spaces'] {
  return {
    documents: new KeySpace(root, 'documents'),
    indexes: new KeySpace(root, 'indexes'),
    changes: new KeySpace(root, 'changes'),
    catalog: new KeySpace(root, 'catalog'),
  };
}

function apply(spaces: Files['spaces'], operation: Operation): void {
  const space = spaces[operation.space];
  if (operation.kind === 'put') space.put(operation.key, operation.value);
  else if (operation.kind === 'remove') space.remove(operation.key);
  else space.clear();
}

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
