/**
 * The stores beside what people would use instead: `npm run storage` in tools/bench. `ROWS` documents (100,000),
 * each task in turn on every store, in alternating rounds. With `MONGODB_URI` the adapter is measured beside the
 * raw driver too.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machine, median, table } from '../table.js';
import { driver, nedb, sqlite } from './peers.js';
import { plugboard } from './plugboard.js';
import { idAt, kindAt, OWNERS, rowAt, type Subject } from './subject.js';

const ROWS = Number(process.env['ROWS'] ?? 100_000);
const ROUNDS = 5;
const uri = process.env['MONGODB_URI'];

interface Task {
  readonly name: string;
  readonly times: number;
  run(subject: Subject): Promise<void>;
}

let next = ROWS;
let turn = 0;
/** A place that no two calls share, spread over all rows. */
const anywhere = (): number => (turn = (turn + 7919) % ROWS);

const TASKS: readonly Task[] = [
  each('durable single insert', 100, (subject) => subject.insertOne(rowAt(next++))),
  each(
    'batch of 1,000, per document',
    1,
    (subject) => subject.insertMany(Array.from({ length: 1000 }, () => rowAt(next++))),
    1000,
  ),
  each('findOne by id', 10_000, (subject) => subject.byId(idAt(anywhere()))),
  each('findOne by index', 10_000, (subject) => {
    const at = anywhere();
    return subject.byIndex(kindAt(at), at);
  }),
  each('sorted page of 20', 2_000, (subject) => subject.page(`user${anywhere() % OWNERS}`)),
  each('durable update by id', 100, (subject) => subject.updateById(idAt(anywhere()))),
  each('scan, per document', 1, (subject) => subject.scan(), ROWS),
];

function each(name: string, calls: number, call: (subject: Subject) => unknown, perCall = 1): Task {
  return {
    name,
    times: calls * perCall,
    run: async (subject) => {
      for (let at = 0; at < calls; at += 1) await call(subject);
    },
  };
}

const folder = await mkdtemp(join(tmpdir(), 'plugboard-bench-'));
const inFolder = (name: string): string => join(folder, name);

console.log(`${machine()}; ${ROWS} documents, ${ROUNDS} alternating rounds, medians, us an operation\n`);
console.log(
  await compare({
    embedded: await plugboard({ use: 'embedded', path: inFolder('embedded') }),
    'better-sqlite3': sqlite(folder),
    nedb: await nedb(folder),
  }),
);
if (uri === undefined) console.log('\nMONGODB_URI is not set: the adapter was not measured');
else {
  const adapter = await plugboard({ use: 'mongodb', url: uri, database: `bench-${process.pid}` });
  console.log(`\n${await compare({ 'MongoDB adapter': adapter, 'raw driver': await driver(uri) })}`);
}
await rm(folder, { recursive: true, force: true });

/** One column a store; the ratio is that of the first store's time to the best of the others. */
async function compare(subjects: Readonly<Record<string, Subject>>): Promise<string> {
  const names = Object.keys(subjects);
  for (const subject of Object.values(subjects)) {
    for (let at = 0; at < ROWS; at += 1000) {
      await subject.insertMany(Array.from({ length: 1000 }, (_, offset) => rowAt(at + offset)));
    }
  }
  const rows: (string | number)[][] = [];
  for (const task of TASKS) {
    const times = new Map<string, number[]>(names.map((name) => [name, []]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, subject] of Object.entries(subjects)) {
        const began = performance.now();
        await task.run(subject);
        times.get(name)?.push(((performance.now() - began) * 1000) / task.times);
      }
    }
    const medians = names.map((name) => median(times.get(name) ?? []));
    const [ours = NaN, ...others] = medians;
    rows.push([task.name, ...medians.map((one) => one.toFixed(1)), (ours / Math.min(...others)).toFixed(2)]);
  }
  for (const subject of Object.values(subjects)) await subject.close();
  return table(['', ...names, 'ours to the best other'], rows);
}
