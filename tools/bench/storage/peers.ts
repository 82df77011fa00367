/** What people would use instead: better-sqlite3 with JSON in a column, nedb, and MongoDB's own driver. */
import { join } from 'node:path';
import { createRequire } from 'node:module';
import type Nedb from '@seald-io/nedb';
import Database from 'better-sqlite3';
import { MongoClient } from 'mongodb';
import type { Row, Subject } from './subject.js';

/** WAL and synchronous FULL: durable, as the embedded store is. */
export function sqlite(folder: string): Subject {
  const database = new Database(join(folder, 'rows.sqlite'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(`
    create table rows (id text primary key, doc text) without rowid;
    create index page on rows (doc ->> 'owner', doc ->> 'createdAt' desc);
    create index kinds on rows (doc ->> 'kind', doc ->> 'n');`);
  const insert = database.prepare('insert into rows values (?, ?)');
  const insertMany = database.transaction((rows: Row[]) => {
    for (const row of rows) insert.run(row._id, JSON.stringify(row));
  });
  const byId = database.prepare('select doc from rows where id = ?').pluck();
  const byIndex = database
    .prepare(`select doc from rows where doc ->> 'kind' = ? and doc ->> 'n' = ? limit 1`)
    .pluck();
  const page = database
    .prepare(`select doc from rows where doc ->> 'owner' = ? order by doc ->> 'createdAt' desc limit 20`)
    .pluck();
  const update = database.prepare(
    `update rows set doc = json_set(doc, '$.n', (doc ->> 'n') + 0.5) where id = ?`,
  );
  const scan = database.prepare('select doc from rows').pluck();
  const parsed = (texts: unknown[]): unknown[] => texts.map((text) => JSON.parse(String(text)) as unknown);
  return {
    insertOne: (row) => insert.run(row._id, JSON.stringify(row)),
    insertMany: (rows) => insertMany(rows),
    byId: (id) => parsed([byId.get(id)]),
    byIndex: (kind, n) => parsed([byIndex.get(kind, n)]),
    page: (owner) => parsed(page.all(owner)),
    updateById: (id) => update.run(id),
    scan: () => parsed(scan.all()),
    close: () => database.close(),
  };
}

/** It has no compound index: one on the owner, one on the number. */
export async function nedb(folder: string): Promise<Subject> {
  const Datastore = createRequire(import.meta.url)('@seald-io/nedb') as typeof Nedb.default;
  const rows = new Datastore<Row>({ filename: join(folder, 'rows.nedb'), autoload: true });
  await rows.ensureIndexAsync({ fieldName: 'owner' });
  await rows.ensureIndexAsync({ fieldName: 'n' });
  return {
    insertOne: (row) => rows.insertAsync(row),
    insertMany: (all) => rows.insertAsync(all),
    byId: (id) => rows.findOneAsync({ _id: id }),
    byIndex: (kind, n) => rows.findOneAsync({ n, kind }),
    page: (owner) => rows.findAsync({ owner }).sort({ createdAt: -1 }).limit(20),
    updateById: (id) => rows.updateAsync({ _id: id }, { $inc: { n: 0.5 } }, {}),
    scan: () => rows.findAsync({}),
    close: () => {},
  };
}

/** The raw driver with the options of the adapter. */
export async function driver(url: string): Promise<Subject> {
  const client = new MongoClient(url, { writeConcern: { w: 'majority', journal: true } });
  const rows = client.db(`bench-raw-${process.pid}`).collection<Row>('rows');
  await rows.createIndexes([{ key: { owner: 1, createdAt: -1 } }, { key: { kind: 1, n: 1 } }]);
  return {
    insertOne: (row) => rows.insertOne(row),
    insertMany: (all) => rows.insertMany(all),
    byId: (id) => rows.findOne({ _id: id }),
    byIndex: (kind, n) => rows.findOne({ kind, n }),
    page: (owner) => rows.find({ owner }).sort({ createdAt: -1 }).limit(20).toArray(),
    updateById: (id) => rows.updateOne({ _id: id }, { $inc: { n: 0.5 } }),
    scan: () => rows.find({}).toArray(),
    close: async () => {
      await client.db(`bench-raw-${process.pid}`).dropDatabase();
      await client.close();
    },
  };
}
