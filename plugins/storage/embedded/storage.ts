/** The embedded store: the storage port over lmdb, with a namespace for each plugin. */
import {
  type ChangeFeed,
  type Clock,
  type Collection,
  type CollectionSpec,
  type Document,
  type IndexSpec,
  type Logger,
  type ResumeToken,
  type Storage,
  StorageError,
  type Transaction,
} from 'plugboard/sdk';
import type { Access } from './write/access.js';
import { backup, type Backup } from './upkeep/backup.js';
import { IndexBuilds } from './upkeep/index-builds.js';
import { removeOrphans } from './upkeep/orphans.js';
import { restore } from './upkeep/restore.js';
import type { WriteBatch } from './write/batch.js';
import { Catalog } from './catalog.js';
import { sameSpec, type CollectionDefinition } from './definition.js';
import { Commits, fromToken, LogFeed } from './changes/change-feed.js';
import { ChangeLog, type HistoryLimits } from './changes/change-log.js';
import { check, type CheckReport, type Looked } from './upkeep/check.js';
import { EmbeddedCollection, type CollectionHost } from './collection.js';
import { Environment, type EnvironmentOptions, type Reader, type Snapshot } from './lmdb/environment.js';
import { DamagedStore } from './lmdb/damage.js';
import type { Query } from './find/query.js';
import { Sweeper } from './upkeep/sweeper.js';
import { StoredVersions } from '../versions.js';
import { Transactions } from './write/transaction.js';
import { WriteQueue } from './write/write-queue.js';

export interface EmbeddedOptions extends EnvironmentOptions {
  readonly directory: string;
  readonly history: HistoryLimits;
  readonly clock: Clock;
  readonly log: Logger;
}

export class EmbeddedStore implements Access, CollectionHost {
  readonly environment: Environment;
  readonly catalog = new Catalog();
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #changeLog: ChangeLog;
  readonly #commits = new Commits();
  readonly #queue: WriteQueue;
  readonly #builds: IndexBuilds;
  readonly #transactions: Transactions;
  readonly #sweeper: Sweeper;
  readonly #warned = new Set<string>();
  readonly #declared = new Map<string, readonly IndexSpec[]>();
  #turn = -1;

  constructor({ directory, history, clock, log, ...options }: EmbeddedOptions) {
    this.environment = new Environment(directory, options);
    this.#clock = clock;
    this.#log = log;
    this.#changeLog = new ChangeLog(history);
    this.#queue = new WriteQueue(this.environment, this.catalog, this.#changeLog, clock, () =>
      this.#commits.announce(),
    );
    this.#builds = new IndexBuilds(this.environment, this.catalog, this.#queue, log);
    const now = (): number => clock.now();
    this.#transactions = new Transactions(this.environment, this.catalog, this.#queue, now);
    this.#sweeper = new Sweeper(this.environment, this.catalog, this.#queue, now);
  }

  forPlugin(pluginId: string, versions = new StoredVersions()): Storage {
    return new ScopedStorage(this, pluginId, versions);
  }

  collection<D extends Document>(namespace: string, spec: CollectionSpec): Collection<D> {
    checkSpec(spec);
    const fullName = `${namespace}/${spec.name}`;
    // Two parts of a plugin may declare one collection, each with the indexes that it needs.
    const declared = [...(this.#declared.get(fullName) ?? []), ...(spec.indexes ?? [])];
    const indexes = declared.filter(
      (index, at) =>
        declared.findIndex((other) => sameSpec(index, other)) === at &&
        !spec.withdrawn?.some((other) => sameSpec(index, other)),
    );
    this.#declared.set(fullName, indexes);
    const { removed, dropped } = this.catalog.declare(this.environment, fullName, { ...spec, indexes });
    this.#builds.begin(fullName, dropped);
    for (const index of removed)
      this.#log.warn(
        { collection: fullName, index },
        `removed the index ${index} of "${fullName}": it is no longer declared`,
      );
    return new EmbeddedCollection<D>(spec.name, fullName, this, this);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#transactions.run(work);
  }

  sweep(signal: AbortSignal): Promise<number> {
    return this.#sweeper.sweep(signal);
  }

  /** Throws the error of the last write if it failed. */
  assertTakesWrites(): void {
    this.reader();
    if (this.#queue.refusal !== undefined) throw this.#queue.refusal;
  }

  /** Probes after a refused write whether the store works again. */
  tryAgain(): Promise<void> {
    return this.#queue.tryAgain();
  }

  check(looked?: Looked): Promise<CheckReport> {
    return check(this.environment, this.catalog, looked);
  }

  /** Removes leftovers of a killed restore. */
  async tidy(): Promise<void> {
    this.reader();
    await removeOrphans(this.environment, this.catalog);
  }

  /** Checks all of a small store after a crash, or a change of the files by another program. */
  async settleDoubts(): Promise<void> {
    const { doubtful, recovery, directory, size } = this.environment;
    if (recovery !== undefined) this.#log.warn(recovery);
    if (!doubtful) return;
    if (size > COMPARED_AT_START) {
      this.#log.warn('run "plugboard data check" to compare the indexes with the documents');
      return;
    }
    const { faults } = await this.check();
    if (faults.length === 0) return;
    throw new DamagedStore(
      `the store in "${directory}" is damaged: ${faults.slice(0, 3).join('; ')}` +
        `${faults.length > 3 ? ` and ${faults.length - 3} more` : ''}; ` +
        'run "plugboard data repair" to see what can be kept, or restore a backup into a new folder',
    );
  }

  backup(directory: string): Promise<Backup> {
    return backup(this.environment, directory, this.now);
  }

  restore(directory: string): Promise<Backup> {
    return restore(this.environment, this.catalog, this.#changeLog, directory);
  }

  /** All collections, as `namespace/name`. */
  collections(): string[] {
    this.reader();
    return Array.from(this.catalog.all(), ({ name }) => name);
  }

  /** Opens a collection with whatever indexes it has; creates it if missing. */
  existing<D extends Document>(fullName: string): Collection<D> {
    const [namespace = '', name = ''] = fullName.split('/');
    if (!this.collections().includes(fullName)) return this.collection<D>(namespace, { name });
    return new EmbeddedCollection<D>(name, fullName, this, this);
  }

  /** Resolves when the indexes of all collections are complete; rejects if one cannot be built. */
  ready(progress = (): void => {}): Promise<void> {
    return this.#builds.allReady(progress);
  }

  collectionReady(name: string): Promise<void> {
    return this.#builds.ready(name);
  }

  /** Waits for the submitted writes, then closes the files. */
  async close(): Promise<void> {
    await this.#builds.stop();
    await this.#queue.drain();
    await this.environment.close();
  }

  get now(): number {
    return this.#clock.now();
  }

  definition(name: string): CollectionDefinition {
    return this.catalog.collection(name);
  }

  reader(): Reader {
    const reader = this.environment.latest;
    if (this.#turn !== this.environment.turn) {
      this.catalog.refresh(reader);
      this.#turn = this.environment.turn;
    }
    return reader;
  }

  snapshot(): Snapshot {
    this.reader();
    return this.environment.snapshot();
  }

  write<T>(job: (batch: WriteBatch) => T): Promise<T> {
    return this.#queue.submit(job);
  }

  scanned({ plan, collection }: Query, filter: object, count: number): void {
    if (count < 10_000 || plan.access !== 'documents' || !plan.all || Object.keys(filter).length === 0)
      return;
    const paths = Object.keys(filter).join(', ');
    const key = `${collection.name} ${paths}`;
    if (this.#warned.has(key)) return;
    this.#warned.add(key);
    this.#log.warn(
      { collection: collection.name, filter: paths },
      `a query on "${collection.name}" by ${paths} has examined more than 10,000 documents: add an index`,
    );
  }

  async changes<D extends Document>(
    name: string,
    { after, signal }: { after?: ResumeToken; signal?: AbortSignal },
  ): Promise<ChangeFeed<D>> {
    const from = after === undefined ? undefined : fromToken(after);
    this.reader();
    if (!this.catalog.collection(name).logged)
      await this.#queue.submit((batch) => batch.learn(this.catalog.collection(name), { kind: 'logged' }));
    const reader = this.reader();
    const position = from ?? this.#changeLog.newest(reader);
    this.#changeLog.after(reader, position, 1);
    const source = { environment: this.environment, log: this.#changeLog, commits: this.#commits };
    return new LogFeed<D>(source, this.catalog.collection(name).number, position, signal);
  }
}

/** Size of the data file up to which this takes only seconds. */
const COMPARED_AT_START = 2 ** 26;

class ScopedStorage implements Storage {
  readonly #store: EmbeddedStore;
  readonly #namespace: string;
  readonly #versions: StoredVersions;

  constructor(store: EmbeddedStore, namespace: string, versions: StoredVersions) {
    this.#store = store;
    this.#namespace = namespace;
    this.#versions = versions;
  }

  get directory(): string {
    return this.#store.environment.directory;
  }

  get commits(): number {
    return this.#store.environment.sequence;
  }

  collection<D extends Document>(spec: CollectionSpec): Collection<D> {
    this.#versions.declare(this.#namespace, spec);
    return this.#store.collection<D>(this.#namespace, spec);
  }

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#store.transaction(work);
  }

  async ping(): Promise<void> {
    this.#store.reader();
  }
}

function checkSpec({ name, indexes = [] }: CollectionSpec): void {
  if (!/^[a-z0-9_]+$/.test(name))
    throw new StorageError(
      'invalid',
      `invalid collection name "${name}": use lower case letters, digits and _`,
    );
  for (const { keys, expireAfterSeconds } of indexes) {
    const paths = Object.keys(keys);
    if (paths.length === 0 || paths.length > 30)
      throw new StorageError('invalid', `an index of "${name}" needs 1 to 30 paths`);
    if (expireAfterSeconds !== undefined && paths.length !== 1)
      throw new StorageError('invalid', `the expiring index ${paths.join(',')} of "${name}" takes one path`);
  }
}
