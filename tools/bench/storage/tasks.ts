/** What is measured: each task is run in turn on every store. */
import { idAt, kindAt, OWNERS, rowAt, type Subject } from './subject.js';

export interface Task {
  readonly name: string;
  /** How many operations one run has: calls, or documents where the task says so. */
  readonly operations: number;
  /** How many runs do not count: in them every document is asked for twice, so that the others meet warm stores. */
  readonly warm: number;
  run(subject: Subject): Promise<void>;
}

/** On stores that hold so many documents. */
export function tasks(documents: number): readonly Task[] {
  let next = documents;
  let turn = 0;
  /** A place that no two calls share, spread over all documents. */
  const anywhere = (): number => (turn = (turn + 7919) % documents);
  const warm = (calls: number): number => Math.ceil((2 * documents) / calls);
  return [
    each('durable single insert', 200, (subject) => subject.insertOne(rowAt(next++))),
    {
      ...each('batch of 1,000, per document', 2, (subject) =>
        subject.insertMany(Array.from({ length: 1000 }, () => rowAt(next++))),
      ),
      operations: 2_000,
    },
    { ...each('findOne by id', 10_000, (subject) => subject.byId(idAt(anywhere()))), warm: warm(10_000) },
    {
      ...each('findOne by index', 10_000, (subject) => {
        const at = anywhere();
        return subject.byIndex(kindAt(at), at);
      }),
      warm: warm(10_000),
    },
    each('sorted page of 20', 2_000, (subject) => subject.page(`user${anywhere() % OWNERS}`)),
    each('list of 50', 2_000, (subject) => {
      const at = anywhere() % (documents - 300);
      return subject.list(kindAt(at), at);
    }),
    // After the lookups: it changes what they look for.
    each('durable update by id', 200, (subject) => subject.updateById(idAt(anywhere()))),
    { ...each('scan, per document', 1, (subject) => subject.scan()), operations: documents },
  ];
}

function each(name: string, calls: number, call: (subject: Subject) => unknown): Task {
  return {
    name,
    operations: calls,
    warm: 2,
    run: async (subject) => {
      for (let at = 0; at < calls; at += 1) await call(subject);
    },
  };
}

export async function load(subject: Subject, documents: number): Promise<void> {
  for (let at = 0; at < documents; at += 1000)
    await subject.insertMany(Array.from({ length: 1000 }, (_, offset) => rowAt(at + offset)));
}
