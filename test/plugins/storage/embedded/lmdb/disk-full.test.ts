/** A disk that is full, for real: the store lies on a small file system of its own. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { isStorageError } from 'plugboard/sdk';
import { opened } from '../../../../../plugins/storage/embedded/lmdb/failures.js';
import { openStore, type Row } from '../open.js';

const mayMount = process.platform === 'linux' && process.getuid?.() === 0 && canMount();

function canMount(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'plugboard-mount-'));
  try {
    mount(directory, 'size=1m');
    execFileSync('umount', [directory]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(directory);
  }
}

function mount(directory: string, options: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory], { stdio: 'ignore' });
}

/** A folder that has room for `megabytes`, until the test ends. */
function smallDisk(t: TestContext, megabytes: number): string {
  const directory = mkdtempSync(join(tmpdir(), 'plugboard-full-'));
  mount(directory, `size=${megabytes}m`);
  t.after(() => {
    execFileSync('umount', ['--lazy', directory]);
    rmdirSync(directory);
  });
  return directory;
}

test('a store that cannot be opened says what to do before the next start', () => {
  const failing = (error: object) => () =>
    opened(() => {
      throw Object.assign(new Error('refused'), error);
    });
  assert.throws(
    failing({ message: 'No space left on device' }),
    /^StorageError: the disk is full: make room and start again$/,
  );
  const message = "EACCES: permission denied, open '/data/data.mdb'";
  assert.throws(
    failing({ message, code: 'EACCES', path: '/data/data.mdb' }),
    /run this as the owner of the folder, and not as the user .*, or give \/data\/data\.mdb back/,
  );
});

test(
  'a store on a disk without any room does not open, and says why',
  { skip: mayMount ? false : 'only root may make the small disk that this needs' },
  async (t) => {
    const directory = smallDisk(t, 1);
    writeFileSync(join(directory, 'other'), Buffer.alloc(2 ** 20));
    await assert.rejects(openStore(t, { directory, sync: true }), {
      message: 'the disk is full: make room and start again',
    });
  },
);

const name =
  'a full disk: writes are unavailable, nothing acknowledged is lost, and with room the store goes on';
const skip = mayMount ? false : 'skipped: only root may make the small disk that this needs';

test(name, { skip }, async (t) => {
  const directory = smallDisk(t, 4);
  const { store, storage } = await openStore(t, { directory, sync: true });
  const rows = storage.collection<Row>({ name: 'rows', indexes: [{ keys: { n: 1 } }] });
  const row = (n: number): Row => ({ _id: `row${n}`, n, text: 'x'.repeat(2000) });

  let stored = 0;
  const refusal = await (async () => {
    for (;;) {
      try {
        await rows.insertOne(row(stored));
        stored++;
      } catch (error) {
        return error;
      }
    }
  })();

  assert.ok(isStorageError(refusal, 'unavailable'));
  assert.match(refusal.message, /the disk is full/);
  await assert.rejects(
    storage.transaction(async (tx) => {
      for (let n = 0; n < 50; n++) await rows.with(tx).insertOne(row(stored + n));
    }),
    { code: 'unavailable' },
  );
  assert.equal(await rows.countDocuments({}), stored);
  assert.equal((await rows.findOne({ n: stored - 1 }))?._id, `row${stored - 1}`);
  assert.deepEqual((await store.check()).faults, []);
  assert.throws(() => store.assertTakesWrites(), /the disk is full/);
  await store
    .forPlugin('other')
    .collection<Row>({ name: 'rows' })
    .deleteOne({ _id: 'none' })
    .catch(() => {});
  assert.throws(
    () => store.assertTakesWrites(),
    /the disk is full/,
    'a write that stores nothing shows nothing',
  );

  mount(directory, 'remount,size=16m');
  await store.tryAgain();
  store.assertTakesWrites();

  await rows.insertMany(Array.from({ length: 100 }, (_, at) => row(stored + at)));
  assert.equal(await rows.countDocuments({}), stored + 100);
  assert.deepEqual((await store.check()).faults, []);
});
