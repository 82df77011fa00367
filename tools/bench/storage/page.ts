/**
 * Whether a sorted page stays as quick while its collection grows: `npm run storage:page` in tools/bench. The same
 * page of 20 by a compound index, of 10,000, 100,000 and 1,000,000 documents in one embedded store.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machine, median, table } from '../table.js';
import { plugboard } from './plugboard.js';
import { rowAt, type Row } from './subject.js';

const SIZES = [10_000, 100_000, 1_000_000];
/** Each has a whole page already in the smallest collection. */
const OWNERS = 400;
const PAGES = 2_000;
const ROUNDS = 5;

const folder = await mkdtemp(join(tmpdir(), 'plugboard-bench-'));
const store = await plugboard({ use: 'embedded', path: folder, sync: false });
const rows: string[][] = [];
let stored = 0;
let first: number | undefined;
for (const size of SIZES) {
  for (; stored < size; stored += 1000)
    await store.insertMany(Array.from({ length: 1000 }, (_, offset) => rowOf(stored + offset)));
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const began = process.cpuUsage();
    for (let page = 0; page < PAGES; page++) await store.page(ownerOf(page * 7919));
    const { user, system } = process.cpuUsage(began);
    times.push((user + system) / PAGES);
  }
  const time = median(times);
  first ??= time;
  rows.push([size.toLocaleString('en'), time.toFixed(1), (time / first).toFixed(2)]);
}
console.log(`${machine()}; ${ROUNDS} rounds of ${PAGES} pages, medians\n`);
console.log(table(['documents', 'us a page (processor)', 'to the smallest'], rows));
await store.close();
await rm(folder, { recursive: true, force: true });

function rowOf(at: number): Row {
  return { ...rowAt(at), owner: ownerOf(at) };
}

function ownerOf(at: number): string {
  return `user${at % OWNERS}`;
}
