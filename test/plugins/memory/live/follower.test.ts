/** How the index of the live entries comes up. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { StorageError, type Collection } from 'plugboard/sdk';
import { ENTRIES, type EntryDocument } from '../../../../plugins/memory/engine/entries/document.js';
import { Follower } from '../../../../plugins/memory/engine/live/follower.js';
import { Readiness } from '../../../../plugins/memory/engine/live/readiness.js';
import { LiveIndex } from '../../../../plugins/memory/engine/live/live-index.js';
import { openStore } from '../../../support/storage/open-store.js';
import { silentLog } from '../../../support/silent-log.js';
import { entryDocument } from '../support/entry-document.js';

/** More than a page. */
const COUNT = 525;

test('a start does not wait for the index, and what needs it waits until it holds every entry', async (t) => {
  const path = await mkdtemp(join(tmpdir(), 'plugboard-follower-'));
  const store = await openStore({ use: 'embedded', path });
  t.after(async () => {
    await store.close();
    await rm(path, { recursive: true });
  });
  const documents = store.storage.collection<EntryDocument>(ENTRIES);
  await store.start();
  await documents.insertMany(
    Array.from({ length: COUNT }, (_, at) => entryDocument(`the fact of number ${at}`)),
  );
  const index = new LiveIndex(Date, silentLog);
  const follower = new Follower(documents, index, silentLog);
  t.after(() => follower.stop());
  follower.start();
  const { readiness } = follower;
  assert.throws(() => readiness.assertComplete(), { code: 'memory_loading', status: 503 });
  await readiness.soon();
  assert.equal(index.catalog.size, COUNT);
  readiness.assertComplete();
});

test('a start goes on reading where the storage fails on the way', async (t) => {
  const index = new LiveIndex(Date, silentLog);
  let failures = 2;
  const stored = [entryDocument('tea'), entryDocument('milk')];
  const documents = {
    changes: () => Promise.reject(new StorageError('unsupported', 'no feed')),
    countDocuments: () => Promise.resolve(stored.length),
    find: () => ({
      toArray: () =>
        (failures -= 1) >= 0
          ? Promise.reject(new StorageError('unavailable', 'away'))
          : Promise.resolve(stored),
    }),
  } as unknown as Collection<EntryDocument>;
  const follower = new Follower(documents, index, silentLog);
  t.after(() => follower.stop());
  follower.start();
  await follower.readiness.soon();
  assert.equal(index.catalog.size, 2);
  assert.equal(failures, -1);
});

test('what is asked for before the index is there is refused, with how far it is', () => {
  const readiness = new Readiness();
  readiness.progress(250, 525);
  assert.equal(readiness.isComplete, false);
  assert.throws(() => readiness.assertComplete(), {
    code: 'memory_loading',
    message: /: 250 of 525;/,
    headers: { 'retry-after': '1' },
  });
});
