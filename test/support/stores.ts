/** Registers a suite once for each store: the embedded one, and MongoDB where there is a mongod. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { MongoClient } from 'mongodb';
import { canStartTestMongod, startTestMongod, type TestMongod } from '../../tools/test-mongod.js';

export type StoreName = 'embedded' | 'mongodb';

/** `providers.storage` of a config, as `bootTest({ storage })` and `openStore` take it. */
export interface StoreConfig {
  readonly use: StoreName;
  readonly [key: string]: unknown;
}

export interface TestStore {
  readonly name: StoreName;
  /** For tests with several servers on one store: why this one takes no second server, or false. */
  readonly alone: string | false;
  /** A new, empty store of this kind: call it inside a test or a hook. Removed when the suite ends. */
  fresh(): Promise<StoreConfig>;
}

/** Milliseconds: on a busy machine a mongod that is well may take many seconds to answer. */
const PATIENT = {
  connect: 60_000,
  serverSelection: 60_000,
  socket: 120_000,
  queue: 60_000,
  majority: 60_000,
  transaction: 60_000,
};

/**
 * `eachStore('settings', (store) => { test('...', async () => { await bootTest({ storage: await store.fresh() }) }) })`.
 * Both suites are registered always; the one on MongoDB is skipped, with the reason in its name, where there is none.
 */
export function eachStore(name: string, define: (store: TestStore) => void): void {
  describe(`${name}, embedded`, () => define(embeddedStore()));
  if (mongodbMissing) {
    describe(`${name}, mongodb (skipped: no mongod; see the end of the run)`, { skip: true }, () => {});
  } else {
    describe(`${name}, mongodb`, () => define(mongodbStore()));
  }
}

/** Where a suite is about MongoDB alone: `describe('...', { skip: mongodbMissing }, ...)`. */
export const mongodbMissing: string | false = canStartTestMongod()
  ? false
  : 'skipped: no mongod; see the end of the run';

/** The URL of the run's mongod, a replica set of one. Started here when the file runs by itself. */
export async function mongodbUrl(): Promise<string> {
  const given = process.env['PLUGBOARD_TEST_MONGODB'];
  if (given) return given;
  own ??= startTestMongod();
  const url = (await own).env['PLUGBOARD_TEST_MONGODB'];
  if (url === undefined || url === 'none') throw new Error('no mongod for this test');
  return url;
}

let own: Promise<TestMongod> | undefined;
after(async () => (await own)?.stop());

function embeddedStore(): TestStore {
  const folders: string[] = [];
  after(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });
  return {
    name: 'embedded',
    alone: 'skipped: one process at a time may open an embedded store',
    fresh: async () => {
      const path = await mkdtemp(join(tmpdir(), 'plugboard-store-'));
      folders.push(path);
      return { use: 'embedded', path };
    },
  };
}

function mongodbStore(): TestStore {
  const databases: string[] = [];
  let url = '';
  before(async () => {
    url = await mongodbUrl();
  });
  after(async () => {
    const client = new MongoClient(url);
    await Promise.all(databases.map((database) => client.db(database).dropDatabase()));
    await client.close();
  });
  return {
    name: 'mongodb',
    alone: false,
    fresh: async () => {
      url ||= await mongodbUrl();
      const database = `test_${randomUUID().slice(0, 13)}`;
      databases.push(database);
      return { use: 'mongodb', url, database, timeouts: PATIENT };
    },
  };
}
