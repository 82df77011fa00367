/** One open store for a suite, with a clock that the test moves. */
import { randomBytes } from 'node:crypto';
import { after, before } from 'node:test';
import type { Collection, CollectionSpec, Document, Storage } from 'plugboard/sdk';
import { openStore, type OpenStore } from './open-store.js';
import type { StoreConfig, TestStore } from '../stores.js';

/** Any document: the tests put all kinds of values into it. */
export interface Anything extends Document {
  readonly [member: string]: unknown;
}

export interface SuiteStore {
  readonly open: OpenStore;
  readonly storage: Storage;
  readonly config: StoreConfig;
  /** Moves with the test. */
  readonly clock: { time: number; now(): number };
  /** A new collection, ready for use. */
  collection<D extends Document = Anything>(indexes?: CollectionSpec['indexes']): Promise<Collection<D>>;
  /** A new collection that holds these. */
  holding<D extends Document = Anything>(...documents: D[]): Promise<Collection<D>>;
}

/** Call it in the suite, use it in the tests. */
export function suiteStore(store: TestStore): SuiteStore {
  const clock = {
    time: Date.UTC(2026, 0, 1),
    now(): number {
      return this.time;
    },
  };
  let opened: OpenStore | undefined;
  let used: StoreConfig | undefined;
  before(async () => {
    used = await store.fresh();
    opened = await openStore(used, { clock });
  });
  after(() => opened?.close());
  const need = <T>(value: T | undefined): T => {
    if (value === undefined)
      throw new Error('the store opens before the tests, not while they are registered');
    return value;
  };
  const suite: SuiteStore = {
    get open() {
      return need(opened);
    },
    get storage() {
      return need(opened).storage;
    },
    get config() {
      return need(used);
    },
    clock,
    async collection<D extends Document = Anything>(indexes: CollectionSpec['indexes'] = []) {
      const name = `c${randomBytes(6).toString('hex')}`;
      const collection = need(opened).storage.collection<D>({ name, indexes });
      await need(opened).start();
      return collection;
    },
    async holding<D extends Document = Anything>(...documents: D[]) {
      const collection = await suite.collection<D>();
      await collection.insertMany(documents);
      return collection;
    },
  };
  return suite;
}
