/** The files of a folder: whose they are, who may open them, and what is said of files that do not belong together. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test, type TestContext } from 'node:test';
import { UserError } from 'plugboard/sdk';
import { eventually } from '../../../../support/eventually.js';
import { openStore, type Row } from '../open.js';
import { ROWS } from '../rows.js';

const WRITER = fileURLToPath(new URL('../faults/writer.js', import.meta.url));

function newFolder(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'plugboard-folder-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const NEW_LINE = 10;

/** A writer that has written, and writes until it is killed. */
async function startWriter(t: TestContext, directory: string) {
  const child = spawn(process.execPath, [WRITER, directory, 'w'], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  let written = 0;
  child.stdout.on('data', (lines: Buffer) => (written += lines.filter((byte) => byte === NEW_LINE).length));
  await eventually(() => written >= 100, 'a hundred writes are acknowledged');
  return child;
}

/** A folder whose server was killed: with a log and a checkpoint. */
async function crashed(t: TestContext): Promise<string> {
  const directory = newFolder(t);
  const child = await startWriter(t, directory);
  child.kill('SIGKILL');
  await once(child, 'exit');
  return directory;
}

/** A folder that was closed, with rows. */
async function closed(t: TestContext): Promise<string> {
  const directory = newFolder(t);
  const { store, storage } = await openStore(t, { directory });
  const rows = storage.collection<Row>(ROWS);
  await rows.insertMany(
    Array.from({ length: 500 }, (_, at) => ({ _id: `r${at}`, key: `k${at}`, text: 'text '.repeat(at % 50) })),
  );
  await store.close();
  return directory;
}

async function refusal(t: TestContext, directory: string): Promise<string> {
  try {
    const { store } = await openStore(t, { directory });
    await store.settleDoubts();
  } catch (error) {
    assert.ok(error instanceof UserError, String(error));
    return error.message;
  }
  return assert.fail('the store opened');
}

test('a second process is refused with the pid, command and start of the first, and a killed one is not in the way', async (t) => {
  const directory = newFolder(t);
  const child = await startWriter(t, directory);
  const message = await refusal(t, directory);
  assert.match(
    message,
    new RegExp(`in use by process ${child.pid} \\(node writer.js .* w\\), which started at 20`),
  );
  child.kill('SIGKILL');
  await once(child, 'exit');
  const { store } = await openStore(t, { directory });
  assert.match(store.environment.recovery!, /the store was not closed: recovered \d+ commits? from its log/);
});

test('a second store in the same process is refused as well, and the first goes on', async (t) => {
  const { storage, directory } = await openStore(t);
  const rows = storage.collection<Row>({ name: 'rows' });
  assert.match(await refusal(t, directory), new RegExp(`in use by process ${process.pid} `));
  await rows.insertOne({ _id: 'a' });
  assert.match(await refusal(t, directory), /one process at a time/);
});

test('a closed folder has no log and no checkpoint, and an open one is read by its user only', async (t) => {
  const directory = newFolder(t);
  chmodSync(directory, 0o755);
  writeFileSync(join(directory, 'theirs.txt'), '', { mode: 0o644 });
  const { store } = await openStore(t, { directory });
  if (process.platform !== 'win32') {
    assert.equal(statSync(directory).mode & 0o777, 0o700);
    for (const name of readdirSync(directory))
      assert.equal(statSync(join(directory, name)).mode & 0o777, name === 'theirs.txt' ? 0o644 : 0o600, name);
  }
  await store.close();
  assert.deepEqual(
    readdirSync(directory).filter((name) => !/^server\.mdb|^lock|theirs/.test(name)),
    ['data.mdb', 'store.json'],
  );
});

test(
  'a file that was there with wide permissions is narrowed',
  { skip: process.platform === 'win32' },
  async (t) => {
    const directory = await closed(t);
    for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o644);
    const { store } = await openStore(t, { directory });
    assert.equal(statSync(join(directory, 'data.mdb')).mode & 0o777, 0o600);
    await store.close();
  },
);

test('a data file that was shortened, emptied or removed is refused in words', async (t) => {
  for (const harm of [
    (path: string) => truncateSync(path, statSync(path).size / 2),
    (path: string) => truncateSync(path, 5000),
    (path: string) => truncateSync(path, 0),
    (path: string) => rmSync(path),
  ]) {
    const directory = await closed(t);
    harm(join(directory, 'data.mdb'));
    assert.match(await refusal(t, directory), /data\.mdb" is (damaged|empty|missing)/);
  }
});

test('a log that was removed, shortened or zeroed after a crash is refused in words', async (t) => {
  for (const harm of [
    (path: string) => rmSync(path),
    (path: string) => truncateSync(path, statSync(path).size - 4096),
    (path: string) => writeFileSync(path, Buffer.alloc(statSync(path).size)),
    (path: string) => writeFileSync(path, readFileSync(path).fill(0, 4096)),
  ]) {
    const directory = await crashed(t);
    harm(join(directory, 'write-ahead.log'));
    assert.match(await refusal(t, directory), /write-ahead\.log" is damaged: /);
  }
});

test('a checkpoint that is missing or damaged after a crash is refused in words', async (t) => {
  const missing = await crashed(t);
  rmSync(join(missing, 'checkpoint'));
  assert.match(
    await refusal(t, missing),
    /the files that belong to it \(checkpoint, write-ahead.log\) are missing/,
  );
  const damaged = await crashed(t);
  writeFileSync(join(damaged, 'checkpoint'), 'nothing');
  assert.match(await refusal(t, damaged), /checkpoint" is damaged: no checkpoint in it is whole/);
});

test('a data file of another store over a crashed folder is refused in words', async (t) => {
  const directory = await crashed(t);
  copyFileSync(join(await closed(t), 'data.mdb'), join(directory, 'data.mdb'));
  assert.match(await refusal(t, directory), /data\.mdb" is damaged: /);
});

test('zeroed pages and flipped bytes are found when the store opens', async (t) => {
  for (let round = 0; round < 12; round++) {
    const directory = await closed(t);
    const path = join(directory, 'data.mdb');
    const bytes = readFileSync(path);
    const page = 2 + ((round * 7) % (bytes.length / 4096 - 2));
    if (round % 2 === 0) bytes.fill(0, page * 4096, (page + 1) * 4096);
    else for (let at = 30; at < 4096; at += 61) bytes[page * 4096 + at]! ^= 1 << (at % 8);
    writeFileSync(path, bytes);
    try {
      const { store, storage } = await openStore(t, { directory });
      await store.settleDoubts();
      // The page was not in use.
      assert.equal(await storage.collection<Row>(ROWS).countDocuments({}), 500);
      await store.close();
    } catch (error) {
      assert.ok(error instanceof UserError, String(error));
      assert.match(error.message, /is damaged: /);
    }
  }
});

test('a flipped bit in a document is found by its checksum', async (t) => {
  const directory = await closed(t);
  const path = join(directory, 'data.mdb');
  const bytes = readFileSync(path);
  bytes[bytes.lastIndexOf('text text')]! ^= 0x20;
  writeFileSync(path, bytes);
  assert.match(await refusal(t, directory), /a document in it was changed by something else than the store/);
});

test('a copy of a folder that was in use is recovered as a whole, or refused in words', async (t) => {
  const source = newFolder(t);
  await startWriter(t, source);
  let opened = 0;
  for (let round = 0; round < 8; round++) {
    const directory = newFolder(t);
    cpSync(source, directory, { recursive: true, filter: (path) => !path.endsWith('.sock') });
    try {
      const { store } = await openStore(t, { directory });
      await store.settleDoubts();
      opened++;
      await store.close();
    } catch (error) {
      assert.ok(error instanceof UserError, String(error));
    }
  }
  t.diagnostic(`${opened} of 8 copies opened`);
});

test('what was refused is left as it was', async (t) => {
  const directory = await crashed(t);
  rmSync(join(directory, 'write-ahead.log'));
  const before = readFileSync(join(directory, 'data.mdb'));
  await refusal(t, directory);
  assert.ok(before.equals(readFileSync(join(directory, 'data.mdb'))));
  assert.ok(existsSync(join(directory, 'checkpoint')));
});

test(
  'a store opens in a process whose address space is limited',
  { skip: process.platform !== 'linux' && 'only Linux enforces the limit' },
  async (t) => {
    const writer = `ulimit -v 16000000 && exec "${process.execPath}" "${WRITER}" "${newFolder(t)}" w`;
    const child = spawn('sh', ['-c', writer], { stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => child.kill('SIGKILL'));
    const [written] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
    assert.match(String(written), /^put w\./);
  },
);
