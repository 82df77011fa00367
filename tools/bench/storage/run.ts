/**
 * The stores beside what people would use instead: `npm run storage` in tools/bench, or one of the two tables by
 * `npm run storage -- embedded` and `-- mongodb`. `ROWS` documents (100,000), every store in a process of its own, each
 * task in turn on all of them, in alternating rounds of which the first do not count. The second table, the adapter
 * beside the raw driver, needs `MONGODB_URI`.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machine, median, table } from '../table.js';
import { disk } from './disk.js';
import { ROWS, TASKS } from './tasks.js';

const ROUNDS = 5;
const uri = process.env['MONGODB_URI'];

const folder = await mkdtemp(join(tmpdir(), 'plugboard-bench-'));
const limit = disk(folder);
console.log(`${machine()}; ${ROWS} documents, ${ROUNDS} alternating rounds, medians, us an operation\n`);
const [only] = process.argv.slice(2);
if (only !== 'mongodb') console.log(await compare(['embedded', 'SQLite', 'nedb']));
if (uri === undefined) console.log('\nMONGODB_URI is not set: the adapter was not measured');
else if (only !== 'embedded') console.log(`\n${await compare(['MongoDB adapter', 'raw driver'], 1)}`);
await rm(folder, { recursive: true, force: true });

/** One column a store; the ratio is that of the first store's time to the best of the others. */
async function compare(names: readonly string[], mostWarmUp = Infinity): Promise<string> {
  const stores: ChildProcess[] = [];
  // One after the other: a store that is being filled keeps the disk from the others.
  for (const name of names) stores.push(await start(name));
  const rows: (string | number)[][] = [];
  for (const [at, { name, warmUp }] of TASKS.entries()) {
    const durable = name.startsWith('durable');
    const times: number[][] = [...names.map(() => []), []];
    for (let round = 1 - Math.min(warmUp, mostWarmUp); round <= ROUNDS; round += 1) {
      const measured: number[] = [];
      for (const store of stores) measured.push(await ask(store, at));
      if (durable) measured.push(await limit());
      if (round > 0) measured.forEach((time, column) => times[column]?.push(time));
    }
    const medians = times.map(median);
    const [ours = NaN, ...others] = medians.slice(0, names.length);
    rows.push([
      name,
      ...medians.map((time) => (Number.isNaN(time) ? '' : time.toFixed(1))),
      (ours / Math.min(...others)).toFixed(2),
    ]);
  }
  for (const store of stores) {
    store.send(TASKS.length);
    await once(store, 'exit');
  }
  return table(['', ...names, 'the disk', 'ours to the best other'], rows);
}

async function start(name: string): Promise<ChildProcess> {
  const store = fork(new URL('store.js', import.meta.url), [name, folder, uri ?? '']);
  await reply(store);
  return store;
}

async function ask(store: ChildProcess, task: number): Promise<number> {
  store.send(task);
  return Number(await reply(store));
}

/** What the store says next; it may also end instead, for reasons that it has printed. */
async function reply(store: ChildProcess): Promise<unknown> {
  const done = new AbortController();
  const { signal } = done;
  try {
    return await Promise.race([
      once(store, 'message', { signal }).then(([message]: unknown[]) => message),
      once(store, 'exit', { signal }).then(() =>
        Promise.reject(new Error('a store has ended before its time')),
      ),
    ]);
  } finally {
    done.abort();
  }
}
