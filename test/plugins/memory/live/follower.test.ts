/** How the index of the live entries comes up. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ENTRIES, type EntryDocument } from '../../../../plugins/memory/engine/entries/document.js';
import { Follower } from '../../../../plugins/memory/engine/live/follower.js';
import { LiveIndex } from '../../../../plugins/memory/engine/live/live-index.js';
import { openStore } from '../../../support/open-store.js';
import { silentLog } from '../../../support/silent-log.js';
import { entryDocument } from '../support/entry-document.js';

const COUNT = 25;

test('loading reports progress with each entry, so that a start with a great many does not time out', async (t) => {
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
  const reported: number[] = [];
  await follower.start(() => reported.push([...index.catalog.ids()].length));
  assert.deepEqual(
    reported,
    Array.from({ length: COUNT }, (_, at) => at + 1),
  );
});
