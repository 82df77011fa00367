/** Data of a newer version of the server: a start is refused in words, and nothing is changed. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { definePlugin, STORAGE, Type } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';
import { planRepair } from '../../../plugins/storage/embedded/upkeep/repair.js';
import { readBackup } from '../../../plugins/storage/embedded/upkeep/backup.js';
import { readManifest } from '../../../plugins/storage/transfer/manifest.js';
import { openStore } from '../../support/storage/open-store.js';
import { eachStore } from '../../support/stores.js';

/** A plugin as a release has it that reads and writes these versions of its notes. */
const release = (versions?: { reads: number; writes: number }) =>
  definePlugin({
    name: 'notes',
    api: 1,
    config: Type.Object({}, { additionalProperties: false }),
    needs: { storage: STORAGE },
    setup({ needs: { storage } }) {
      const notes = storage.collection({ name: 'notes', ...(versions && { versions }) });
      const start = async (): Promise<void> => {
        await notes.updateOne({ _id: 'a' }, { $inc: { starts: 1 } }, { upsert: true });
      };
      return { start };
    },
  });

eachStore('documents of a newer version', (store) => {
  test('refuse a release that does not read them, and serve every one that does', async () => {
    const storage = await store.fresh();
    const start = async (versions?: { reads: number; writes: number }): Promise<void> =>
      (await bootTest({ plugins: [{ plugin: release(versions) }], storage })).stop();
    await start();
    await start({ reads: 2, writes: 1 });
    await start({ reads: 1, writes: 1 });
    await start({ reads: 2, writes: 2 });
    await assert.rejects(
      start(),
      /"notes\/notes" holds documents of version 2, and this server reads version 1 and older: start the newer version/,
    );
    await start({ reads: 3, writes: 2 });
    const { storageOf, close } = await openStore(storage);
    const notes = storageOf('notes').collection<{ _id: string; starts: number }>({
      name: 'notes',
      versions: { reads: 2, writes: 2 },
    });
    assert.equal((await notes.findOne({ _id: 'a' }))?.starts, 5, 'the refused start wrote nothing');
    await close();
  });
});

test('a store, a backup and an export of a newer format are refused, and left as they are', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-newer-'));
  try {
    const storage = { use: 'embedded', path: folder } as const;
    await (await bootTest({ plugins: [{ plugin: release() }], storage })).stop();
    const file = join(folder, 'store.json');
    const newer = JSON.stringify({ ...(JSON.parse(await readFile(file, 'utf8')) as object), format: 2 });
    await writeFile(file, newer);
    const refusal = /the store in ".*" has format 2, and this server reads format 1 and older/;
    await assert.rejects(bootTest({ plugins: [{ plugin: release() }], storage }), refusal);
    await assert.rejects(planRepair(folder), refusal);
    assert.equal(await readFile(file, 'utf8'), newer);
    await writeFile(join(folder, 'backup.json'), '{"format":2}');
    assert.throws(() => readBackup(folder), /the backup in ".*" has format 2/);
    await writeFile(join(folder, 'export.json'), '{"format":2,"collections":[]}');
    assert.throws(() => readManifest(folder), /the export in ".*" has format 2/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
