/** A large store moves to MongoDB and back, in memory that does not grow with it: `DOCUMENTS` (1,000,000). */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { EmbeddedStore } from '../../../../../plugins/storage/embedded/storage.js';
import { root } from '../../../../support/fixtures.js';
import { silentLog as log } from '../../../../support/silent-log.js';
import { mongodbMissing, mongodbUrl } from '../../../../support/stores.js';

const DOCUMENTS = Number(process.env['DOCUMENTS'] ?? 1_000_000);
const PAGE = 1000;
/** Anonymous memory of the commands, in megabytes; the documents take more than that. */
const MOST = 256;
/** Their heap. */
const HEAP = 128;

const skip = process.platform === 'linux' ? mongodbMissing : 'skipped: memory is read from /proc';

test(`${DOCUMENTS} documents go to MongoDB and come back as they were`, { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-million-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const config = (name: string, storage: object): string => {
    const file = join(folder, `${name}.yaml`);
    const secrets = { keys: [Buffer.alloc(32, 7).toString('base64')] };
    writeFileSync(
      file,
      stringify({ version: 1, providers: { storage, secrets }, plugins: { memory: null } }),
    );
    return file;
  };
  const home = config('home', { use: 'embedded', path: join(folder, 'home') });
  const away = config('away', { use: 'mongodb', url: await mongodbUrl(), database: `million_${Date.now()}` });
  const back = config('back', { use: 'embedded', path: join(folder, 'back') });
  await fill(join(folder, 'home'));
  const steps = [
    ['export', 'first', home],
    ['import', 'first', away],
    ['export', 'second', away],
    ['import', 'second', back],
    ['export', 'third', back],
  ] as const;
  for (const [what, name, file] of steps) {
    const { seconds, early, late } = await command([
      'data',
      what,
      join(folder, name),
      ...(what === 'import' ? ['--replace'] : []),
      '--config',
      file,
    ]);
    t.diagnostic(
      `${what} ${name}: ${seconds} s, resident ${early} MB in the first half, ${late} in the second`,
    );
    assert.ok(late < MOST, 'memory does not grow with the documents');
  }
  const rows = (name: string): Buffer => readFileSync(join(folder, name, 'memory.numbered.bson'));
  const first = rows('first');
  assert.ok(first.length > DOCUMENTS * 100);
  assert.ok(first.equals(rows('second')), 'MongoDB has them as they were');
  assert.ok(first.equals(rows('third')), 'and so has the store that they came back to');
});

async function fill(directory: string): Promise<void> {
  const history = { changes: 1000, bytes: 2 ** 20 };
  const store = new EmbeddedStore({ directory, sync: false, history, cacheBytes: 0, clock: Date, log });
  const rows = store.forPlugin('memory').collection<{ _id: string; n: number }>({ name: 'numbered' });
  for (let at = 0; at < DOCUMENTS; at += PAGE)
    await rows.insertMany(
      Array.from({ length: Math.min(PAGE, DOCUMENTS - at) }, (_, more) => row(at + more)),
    );
  await store.close();
}

function row(n: number) {
  return {
    _id: `row ${String(n).padStart(8, '0')}`,
    n: n / 4,
    when: new Date(1_700_000_000_000 + n),
    large: 2n ** 60n + BigInt(n),
    bytes: new Uint8Array([n % 256, 0, 255]),
    deep: { list: [n, null, { a: true }], empty: {} },
    text: 'lorem ipsum dolor sit amet '.repeat(10),
  };
}

/** Runs a command to its end; the resident memory is the largest of each half of its time, in MB. */
async function command(words: readonly string[]) {
  const script = join(root, 'dist/tools/plugboard.js');
  const child = spawn(process.execPath, [`--max-old-space-size=${HEAP}`, script, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-2000)));
  const samples: number[] = [];
  const sampling = setInterval(() => samples.push(residentOf(child.pid)), 250);
  const began = performance.now();
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(sampling);
  assert.equal(code, 0, output);
  const half = Math.ceil(samples.length / 2);
  return {
    seconds: Math.round((performance.now() - began) / 1000),
    early: Math.max(...samples.slice(0, half)),
    late: Math.max(...samples.slice(half)),
  };
}

function residentOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024);
  } catch {
    return 0;
  }
}
