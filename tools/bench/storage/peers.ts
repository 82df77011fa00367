/** The stores by name: Plugboard's storage port as a plugin gets it, and what people would use instead. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type Nedb from '@seald-io/nedb';
import { MongoClient } from 'mongodb';
import { definePlugin, STORAGE, Type } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';
import { openSqlite } from '../sqlite.js';
import type { Row, Subject } from './subject.js';

export const STORES: Readonly<Record<string, (folder: string, url: string) => Promise<Subject>>> = {
  embedded: (folder) => plugboard({ use: 'embedded', path: join(folder, 'embedded') }),
  SQLite: sqlite,
  nedb,
  'MongoDB adapter': (_, url) => plugboard({ use: 'mongodb', url, database: `bench-${process.pid}` }, url),
  'raw driver': (_, url) => driver(url),
};

const keeper = definePlugin({
  name: 'keeper',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  needs: { storage: STORAGE },
  setup: () => ({}),
});

async function plugboard(storage: { use: string; [key: string]: unknown }, url?: string): Promise<Subject> {
  const server = await bootTest({ plugins: [{ plugin: keeper }], storage });
  const rows = server.service(STORAGE).collection<Row>({
    name: 'rows',
    indexes: [{ keys: { owner: 1, createdAt: -1 } }, { keys: { kind: 1, n: 1 } }],
  });
  return {
    insertOne: (row) => rows.insertOne(row),
    insertMany: (all) => rows.insertMany(all),
    byId: (id) => rows.findOne({ _id: id }),
    byIndex: (kind, n) => rows.findOne({ kind, n }),
    page: (owner) => rows.find({ owner }, { sort: { createdAt: -1 }, limit: 20 }).toArray(),
    list: (kind, n) => rows.find({ kind, n: { $gte: n } }, { sort: { n: 1 }, limit: 50 }).toArray(),
    updateById: (id) => rows.updateOne({ _id: id }, { $inc: { n: 0.5 } }),
    scan: () => rows.find({}).toArray(),
    close: async () => {
      await server.stop();
      if (url !== undefined) await dropDatabase(new MongoClient(url), `bench-${process.pid}`);
    },
  };
}

/** JSON in a column. Durable, as the embedded store is. */
async function sqlite(folder: string): Promise<Subject> {
  const database = await openSqlite(join(folder, 'rows.sqlite'));
  database.exec(`
    pragma journal_mode = WAL;
    pragma synchronous = FULL;
    create table rows (id text primary key, doc text) without rowid;
    create index page on rows (doc ->> 'owner', doc ->> 'createdAt' desc);
    create index kinds on rows (doc ->> 'kind', doc ->> 'n');`);
  const insert = database.prepare('insert into rows values (?, ?)');
  const insertMany = (rows: readonly Row[]): void => {
    database.exec('begin');
    for (const row of rows) insert.run(row._id, JSON.stringify(row));
    database.exec('commit');
  };
  const byId = database.prepare('select doc from rows where id = ?');
  const byIndex = database.prepare(
    `select doc from rows where doc ->> 'kind' = ? and doc ->> 'n' = ? limit 1`,
  );
  const page = database.prepare(
    `select doc from rows where doc ->> 'owner' = ? order by doc ->> 'createdAt' desc limit 20`,
  );
  const list = database.prepare(
    `select doc from rows where doc ->> 'kind' = ? and doc ->> 'n' >= ? order by doc ->> 'n' limit 50`,
  );
  const update = database.prepare(
    `update rows set doc = json_set(doc, '$.n', (doc ->> 'n') + 0.5) where id = ?`,
  );
  const scan = database.prepare('select doc from rows');
  const parsed = (rows: readonly ({ readonly doc: string } | undefined)[]): unknown[] =>
    rows.map((row) => row && (JSON.parse(row.doc) as unknown));
  return {
    insertOne: (row) => insert.run(row._id, JSON.stringify(row)),
    insertMany: (rows) => insertMany(rows),
    byId: (id) => parsed([byId.get(id)]),
    byIndex: (kind, n) => parsed([byIndex.get(kind, n)]),
    page: (owner) => parsed(page.all(owner)),
    list: (kind, n) => parsed(list.all(kind, n)),
    updateById: (id) => update.run(id),
    scan: () => parsed(scan.all()),
    close: () => database.close(),
  };
}

/**
 * It has no compound index: one on the owner, one on the number. It sorts all that a query finds, so its lists end 300
 * numbers further, among which every kind has its 50.
 */
async function nedb(folder: string): Promise<Subject> {
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
    list: (kind, n) =>
      rows
        .findAsync({ kind, n: { $gte: n, $lt: n + 300 } })
        .sort({ n: 1 })
        .limit(50),
    updateById: (id) => rows.updateAsync({ _id: id }, { $inc: { n: 0.5 } }, {}),
    scan: () => rows.findAsync({}),
    close: () => {},
  };
}

/** The raw driver with the options of the adapter. */
async function driver(url: string): Promise<Subject> {
  const client = new MongoClient(url, { writeConcern: { w: 'majority', journal: true } });
  const rows = client.db(`bench-raw-${process.pid}`).collection<Row>('rows');
  await rows.createIndexes([{ key: { owner: 1, createdAt: -1 } }, { key: { kind: 1, n: 1 } }]);
  return {
    insertOne: (row) => rows.insertOne(row),
    insertMany: (all) => rows.insertMany(all),
    byId: (id) => rows.findOne({ _id: id }),
    byIndex: (kind, n) => rows.findOne({ kind, n }),
    page: (owner) => rows.find({ owner }).sort({ createdAt: -1 }).limit(20).toArray(),
    list: (kind, n) =>
      rows
        .find({ kind, n: { $gte: n } })
        .sort({ n: 1 })
        .limit(50)
        .toArray(),
    updateById: (id) => rows.updateOne({ _id: id }, { $inc: { n: 0.5 } }),
    scan: () => rows.find({}).toArray(),
    close: async () => {
      await dropDatabase(client, `bench-raw-${process.pid}`);
    },
  };
}

async function dropDatabase(client: MongoClient, name: string): Promise<void> {
  await client.db(name).dropDatabase();
  await client.close();
}
