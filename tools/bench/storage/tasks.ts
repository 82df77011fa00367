/** What is measured: each task is run in turn on every store. */
import { idAt, kindAt, OWNERS, rowAt, type Subject } from './subject.js';

export const ROWS = Number(process.env['ROWS'] ?? 100_000);

export interface Task {
  readonly name: string;
  /** How many operations one run has: calls, or documents where the task says so. */
  readonly operations: number;
  /** How many runs do not count: in them every document is asked for twice, so that the others meet warm stores. */
  readonly warmUp: number;
  run(subject: Subject): Promise<void>;
}

let next = ROWS;
let turn = 0;
/** A place that no two calls share, spread over all rows. */
const anywhere = (): number => (turn = (turn + 7919) % ROWS);

export const TASKS: readonly Task[] = [
  each('durable single insert', 200, (subject) => subject.insertOne(rowAt(next++))),
  each(
    'batch of 1,000, per document',
    2,
    (subject) => subject.insertMany(Array.from({ length: 1000 }, () => rowAt(next++))),
    1000,
  ),
  each('findOne by id', 10_000, (subject) => subject.byId(idAt(anywhere()))),
  each('findOne by index', 10_000, (subject) => {
    const at = anywhere();
    return subject.byIndex(kindAt(at), at);
  }),
  each('sorted page of 20', 2_000, (subject) => subject.page(`user${anywhere() % OWNERS}`)),
  each('list of 50', 2_000, (subject) => {
    const at = anywhere() % (ROWS - 300);
    return subject.list(kindAt(at), at);
  }),
  // Behind the lookups: it changes what they look for.
  each('durable update by id', 200, (subject) => subject.updateById(idAt(anywhere()))),
  each('scan, per document', 1, (subject) => subject.scan(), ROWS),
];

function each(name: string, calls: number, call: (subject: Subject) => unknown, perCall = 1): Task {
  return {
    name,
    operations: calls * perCall,
    warmUp: name.startsWith('findOne') ? Math.ceil((2 * ROWS) / calls) : 2,
    run: async (subject) => {
      for (let at = 0; at < calls; at += 1) await call(subject);
    },
  };
}

export async function load(subject: Subject): Promise<void> {
  for (let at = 0; at < ROWS; at += 1000)
    await subject.insertMany(Array.from({ length: 1000 }, (_, offset) => rowAt(at + offset)));
}
