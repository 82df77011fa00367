/** The embedded store through the port: what single calls do and what several at once do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStorageError } from 'plugboard/sdk';
import { openStore, type Row } from './open.js';

const codeIs = (code: string, index?: string) => (error: unknown) =>
  isStorageError(error) && error.code === code && (index === undefined || error.index === index);

test('every type of the port comes back as it was stored', async (t) => {
  const { storage } = await openStore(t);
  const rows = storage.collection<Row>({ name: 'rows' });
  const row = {
    _id: 'a',
    text: 'grüße 😀',
    whole: 7,
    large: 2 ** 40,
    fraction: -0.5,
    long: 2n ** 62n,
    yes: true,
    nothing: null,
    when: new Date(-1),
    bytes: new Uint8Array([0, 255, 1]),
    list: [1, [2, { three: 3 }], null],
    inner: { 'a b': { c: '' } },
  };
  await rows.insertOne({ ...row, dropped: undefined });
  assert.deepEqual(await rows.findOne({ _id: 'a' }), row);
});

test('a unique index refuses the second document and names its paths', async (t) => {
  const { storage } = await openStore(t);
  const rows = storage.collection<Row>({ name: 'rows', indexes: [{ keys: { a: 1, b: -1 }, unique: true }] });
  await rows.insertOne({ _id: '1', a: 1, b: 1 });
  await assert.rejects(rows.insertOne({ _id: '2', a: 1, b: 1 }), codeIs('duplicate_key', 'a,b'));
  await assert.rejects(rows.insertOne({ _id: '1', a: 2 }), codeIs('duplicate_key', '_id'));
  await rows.insertOne({ _id: '2', a: 1, b: 2 });
  await assert.rejects(rows.updateOne({ _id: '2' }, { $set: { b: 1 } }), codeIs('duplicate_key', 'a,b'));
  assert.equal(await rows.countDocuments({}), 2);
});

test('sixty-four upserts at once make one document', async (t) => {
  const { storage } = await openStore(t);
  const rows = storage.collection<Row>({ name: 'rows' });
  const results = await Promise.all(
    Array.from({ length: 64 }, () => rows.updateOne({ _id: 'one' }, { $inc: { n: 1 } }, { upsert: true })),
  );
  assert.equal(results.filter(({ upsertedId }) => upsertedId === 'one').length, 1);
  assert.deepEqual(await rows.findOne({ _id: 'one' }), { _id: 'one', n: 64 });
});

test('a long scan sees every document once, also after an index is made', async (t) => {
  const { storage } = await openStore(t);
  const rows = storage.collection<Row>({ name: 'rows', indexes: [{ keys: { a: 1 } }] });
  const ids = Array.from({ length: 4_000 }, (_, at) => String(at).padStart(5, '0'));
  await rows.insertMany(ids.map((_id, at) => ({ _id, a: at % 3 })));
  const found = await rows.find({}).toArray();
  assert.deepEqual(
    found.map(({ _id }) => _id),
    ids,
  );
});

test('what is read while the store closes ends with an error, and the process goes on', async (t) => {
  const { store, storage } = await openStore(t);
  const rows = storage.collection<Row>({ name: 'rows', indexes: [{ keys: { a: 1 } }] });
  await rows.insertMany(Array.from({ length: 4_000 }, (_, at) => ({ _id: `${at}`, a: at })));
  const reads = [rows.find({}), rows.find({ a: { $gte: 0 } })].map((found) => found[Symbol.asyncIterator]());
  for (const read of reads) assert.equal((await read.next()).done, false);
  await store.close();
  for (const read of reads) {
    const rest = async (): Promise<void> => {
      while ((await read.next()).done !== true);
    };
    await assert.rejects(rest, codeIs('unavailable'));
  }
});

test('a refused insertMany stores none of its documents', async (t) => {
  const { storage } = await openStore(t);
  const rows = storage.collection<Row>({ name: 'rows' });
  await assert.rejects(rows.insertMany([{ _id: 'a' }, { _id: 'b' }, { _id: 'a' }]), codeIs('duplicate_key'));
  assert.equal(await rows.countDocuments({}), 0);
});

test('a bulk write keeps what came before the refused operation', async (t) => {
  const { storage } = await openStore(t);
  const rows = storage.collection<Row>({ name: 'rows' });
  const operations = [{ insertOne: { _id: 'a' } }, { insertOne: { _id: 'a' } }, { insertOne: { _id: 'b' } }];
  await assert.rejects(rows.bulkWrite(operations), codeIs('duplicate_key'));
  assert.deepEqual(await rows.find({}).toArray(), [{ _id: 'a' }]);
});

test('a document is gone at the very instant of its expiry, and gives its unique key up', async (t) => {
  const { storage, clock, store } = await openStore(t);
  const rows = storage.collection<Row>({
    name: 'rows',
    indexes: [
      { keys: { end: 1 }, expireAfterSeconds: 10 },
      { keys: { key: 1 }, unique: true },
    ],
  });
  await rows.insertOne({ _id: 'a', key: 'k', end: new Date(clock.time) });
  clock.time += 9999;
  assert.equal(await rows.countDocuments({ key: 'k' }), 1);
  await assert.rejects(rows.insertOne({ _id: 'b', key: 'k' }), codeIs('duplicate_key', 'key'));
  clock.time += 1;
  assert.equal(await rows.findOne({ _id: 'a' }), null);
  await rows.insertOne({ _id: 'b', key: 'k', end: new Date(clock.time) });
  clock.time += 10_000;
  assert.equal(await store.sweep(new AbortController().signal), 1);
});

test('a transaction that throws stores nothing', async (t) => {
  const { storage } = await openStore(t);
  const rows = storage.collection<Row>({ name: 'rows', indexes: [{ keys: { a: 1 } }] });
  await rows.insertOne({ _id: 'old', a: 1 });
  const work = storage.transaction(async (tx) => {
    await rows.with(tx).insertOne({ _id: 'new', a: 1 });
    await rows.with(tx).deleteOne({ _id: 'old' });
    assert.deepEqual(await rows.with(tx).find({ a: 1 }).toArray(), [{ _id: 'new', a: 1 }]);
    throw new Error('no');
  });
  await assert.rejects(work, /^Error: no$/);
  assert.deepEqual(await rows.find({ a: 1 }).toArray(), [{ _id: 'old', a: 1 }]);
});

test('transactions that read and write the same document count every one of them', async (t) => {
  const { storage } = await openStore(t);
  const rows = storage.collection<Row>({ name: 'rows' });
  await rows.insertOne({ _id: 'n', value: 0 });
  const increment = () =>
    storage.transaction(async (tx) => {
      const row = await rows.with(tx).findOne({ _id: 'n' });
      await rows.with(tx).updateOne({ _id: 'n' }, { $set: { value: Number(row?.['value']) + 1 } });
    });
  await Promise.all(Array.from({ length: 20 }, increment));
  assert.deepEqual(await rows.findOne({ _id: 'n' }), { _id: 'n', value: 20 });
});

test('a feed brings the changes in order, resumes after a token, and says when history is lost', async (t) => {
  const { storage } = await openStore(t, { history: { changes: 5, bytes: 2 ** 20 } });
  const rows = storage.collection<Row>({ name: 'rows' });
  const feed = await rows.changes();
  const start = feed.token;
  await rows.insertOne({ _id: 'a', n: 1 });
  await rows.updateOne({ _id: 'a' }, { $set: { n: 2 } });
  await rows.deleteOne({ _id: 'a' });
  const seen: unknown[] = [];
  for await (const change of feed) {
    seen.push(change.kind === 'put' ? change.document : change.id);
    if (change.kind === 'delete') break;
  }
  assert.deepEqual(seen, [{ _id: 'a', n: 1 }, { _id: 'a', n: 2 }, 'a']);
  for await (const change of await rows.changes({ after: start })) {
    assert.equal(change.kind === 'put' && change.document['n'], 1);
    break;
  }
  await rows.insertMany(Array.from({ length: 6 }, (_, at) => ({ _id: `b${at}` })));
  await assert.rejects(rows.changes({ after: start }), codeIs('history_lost'));
});

test('the history of large documents is bounded by the pages that it takes on disk', async (t) => {
  const { storage } = await openStore(t, { history: { changes: 100_000, bytes: 2 ** 20 } });
  const rows = storage.collection<Row>({ name: 'rows' });
  const start = (await rows.changes()).token;
  // Just over half a page: each takes a page of its own, and a MiB has 256 of them.
  const row = (at: number): Row => ({ _id: `r${at}`, text: 'x'.repeat(2100) });
  await rows.insertMany(Array.from({ length: 250 }, (_, at) => row(at)));
  await (await rows.changes({ after: start })).close();
  await rows.insertMany(Array.from({ length: 10 }, (_, at) => row(250 + at)));
  await assert.rejects(rows.changes({ after: start }), codeIs('history_lost'));
});

test('two plugins do not see each other, and a name is checked', async (t) => {
  const { store, storage } = await openStore(t);
  const mine = storage.collection<Row>({ name: 'rows' });
  await mine.insertOne({ _id: 'a' });
  assert.equal(await store.forPlugin('other').collection<Row>({ name: 'rows' }).findOne({}), null);
  assert.throws(() => storage.collection({ name: 'Rows!' }), codeIs('invalid'));
});

test('a query that looks at more than 10,000 documents without an index is warned about once', async (t) => {
  const { storage, warnings } = await openStore(t);
  const rows = storage.collection<Row>({ name: 'rows' });
  await rows.insertMany(Array.from({ length: 10_500 }, (_, at) => ({ _id: `r${at}`, a: at })));
  await rows.countDocuments({ a: 1 });
  await rows.countDocuments({ a: 2 });
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /"test\/rows" by a has examined more than 10,000 documents/);
});

test('an index that is no longer declared is removed with a warning, its entries too', async (t) => {
  const { store, storage, directory } = await openStore(t);
  const rows = storage.collection<Row>({ name: 'rows', indexes: [{ keys: { a: 1 } }, { keys: { b: 1 } }] });
  await rows.insertOne({ _id: 'x', a: 1, b: 1 });
  assert.equal((await store.check()).entries, 2);
  await store.close();

  const later = await openStore(t, { directory });
  const fewer = later.storage.collection<Row>({ name: 'rows', indexes: [{ keys: { b: 1 } }] });

  assert.deepEqual(later.warnings, ['removed the index a of "test/rows": it is no longer declared']);
  assert.equal((await fewer.explain({ a: 1 })).access, 'scan');
  assert.deepEqual(await later.store.check(), { documents: 1, entries: 1, faults: [] });
  await later.store.close();
});

test('two parts of a plugin that declare one collection keep the indexes of both', async (t) => {
  const { storage, warnings } = await openStore(t);
  storage.collection<Row>({ name: 'rows', indexes: [{ keys: { a: 1 } }] });
  const rows = storage.collection<Row>({ name: 'rows', indexes: [{ keys: { b: 1 } }] });
  assert.equal((await rows.explain({ a: 1 })).index, 'a');
  assert.equal((await rows.explain({ b: 1 })).index, 'b');
  assert.deepEqual(warnings, []);
});
