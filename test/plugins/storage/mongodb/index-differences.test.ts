/** Indexes that are there already: what differs from the declarations is reported and left as it is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MongoClient } from 'mongodb';
import type { IndexSpec } from 'plugboard/sdk';
import { logEntries, type LogEntries } from '../../../support/log-entries.js';
import { openStore } from '../../../support/storage/open-store.js';
import { eachStore, type TestStore } from '../../../support/stores.js';

/** Starts on a database where the collection has the indexes `present`, and answers which it has afterwards. */
async function startOver(
  store: TestStore,
  present: readonly IndexSpec[],
  declared: readonly IndexSpec[],
): Promise<{ log: LogEntries; indexes: Record<string, unknown>[] }> {
  const config = (await store.fresh()) as { use: 'mongodb'; url: string; database: string };
  await using client = new MongoClient(config.url);
  const raw = client.db(config.database).collection('test.rows');
  for (const { keys, ...options } of present) await raw.createIndex(keys, options as object);
  const log = logEntries();
  const opened = await openStore(config, { log });
  try {
    opened.storage.collection({ name: 'rows', indexes: declared });
    await opened.start();
    return { log, indexes: await raw.indexes() };
  } finally {
    await opened.close();
  }
}

eachStore('indexes that are there at the start', (store) => {
  if (store.name !== 'mongodb') return;

  test('a missing one is made, and nothing is said', async () => {
    const { log, indexes } = await startOver(
      store,
      [{ keys: { a: 1 } }],
      [{ keys: { a: 1 } }, { keys: { b: -1 }, unique: true }],
    );
    assert.deepEqual(log.entries, []);
    assert.deepEqual(
      indexes.map(({ key, unique }) => [key, unique]),
      [
        [{ _id: 1 }, undefined],
        [{ a: 1 }, undefined],
        [{ b: -1 }, true],
      ],
    );
  });

  test('one with other options is reported with what differs, and left', async () => {
    const { log, indexes } = await startOver(
      store,
      [{ keys: { a: 1 } }, { keys: { at: 1 }, expireAfterSeconds: 60 }],
      [
        { keys: { a: 1 }, unique: true, sparse: true },
        { keys: { at: 1 }, expireAfterSeconds: 3600 },
      ],
    );
    assert.deepEqual(
      log.entries.map(({ level, members }) => [level, members]),
      [
        ['warn', { collection: 'test.rows', index: 'a_1', different: ['unique', 'sparse'] }],
        ['warn', { collection: 'test.rows', index: 'at_1', different: ['expireAfterSeconds'] }],
      ],
    );
    assert.match(log.at('warn')[0]!, /differs from its declaration and is left as it is; drop it/);
    assert.equal(indexes.find(({ name }) => name === 'a_1')?.['unique'], undefined);
    assert.equal(indexes.find(({ name }) => name === 'at_1')?.['expireAfterSeconds'], 60);
  });

  test('one that nothing declares is mentioned, and left', async () => {
    const { log, indexes } = await startOver(store, [{ keys: { mine: 1 } }], []);
    assert.deepEqual(log.entries, [
      {
        level: 'info',
        members: { collection: 'test.rows', index: 'mine_1' },
        message: 'an index exists that nothing declares',
      },
    ]);
    assert.equal(indexes.length, 2);
  });

  test('a unique one over documents that share a value stops the start, and says what to do', async () => {
    const config = (await store.fresh()) as { use: 'mongodb'; url: string; database: string };
    await using client = new MongoClient(config.url);
    await client
      .db(config.database)
      .collection('test.rows')
      .insertMany([{ secret: 'hunter2' }, { secret: 'hunter2' }]);
    const opened = await openStore(config);
    try {
      opened.storage.collection({ name: 'rows', indexes: [{ keys: { secret: 1 }, unique: true }] });
      await assert.rejects(opened.start(), (error: Error) => {
        assert.match(error.message, /unique index on secret of "test.rows".*remove the duplicates/);
        assert.doesNotMatch(`${error.stack} ${String(error.cause)}`, /hunter2/);
        return true;
      });
    } finally {
      await opened.close();
    }
  });
});
