/** Calls that are made in one turn of the event loop, which a store may send in one message: each has its own outcome. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { suiteStore } from '../../../support/storage/store-of-test.js';

eachStore('calls at once', (store) => {
  const suite = suiteStore(store);

  test('of inserts at once those are refused that meet another document, by its index', async () => {
    const collection = await suite.collection([{ keys: { name: 1 }, unique: true, sparse: true }]);
    await collection.insertOne({ _id: 'there', name: 'Kim' });
    const outcomes = await Promise.allSettled([
      collection.insertOne({ _id: 'a' }),
      collection.insertOne({ _id: 'there' }),
      collection.insertOne({ _id: 'b', name: 'Kim' }),
      collection.insertOne({ _id: 'c', f: () => {} }),
      collection.insertOne({ _id: 'd', name: 'Lee' }),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) =>
        outcome.status === 'fulfilled' ? 'stored' : [outcome.reason.code, outcome.reason.index],
      ),
      ['stored', ['duplicate_key', '_id'], ['duplicate_key', 'name'], ['invalid', undefined], 'stored'],
    );
    const stored = await collection.find({}, { sort: { _id: 1 } }).toArray();
    assert.deepEqual(
      stored.map(({ _id }) => _id),
      ['a', 'd', 'there'],
    );
  });

  test('a document that is too large is refused alone', async () => {
    const collection = await suite.collection();
    const outcomes = await Promise.allSettled([
      collection.insertOne({ _id: 'a' }),
      collection.insertOne({ _id: 'b', text: 'x'.repeat(17 * 1024 * 1024) }),
      collection.insertOne({ _id: 'c' }),
    ]);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'stored' : outcome.reason.code)),
      ['stored', 'too_large', 'stored'],
    );
    assert.equal(await collection.countDocuments({}), 2);
  });

  test('an insert at once with others takes the place of an expired document', async () => {
    const collection = await suite.collection([{ keys: { at: 1 }, expireAfterSeconds: 60 }]);
    await collection.insertOne({ _id: 'a', at: new Date(suite.clock.time) });
    suite.clock.time += 60_000;
    assert.equal(await collection.findOne({ _id: 'a' }), null);
    await Promise.all([collection.insertOne({ _id: 'a', n: 1 }), collection.insertOne({ _id: 'b', n: 2 })]);
    const found = await Promise.all([collection.findOne({ _id: 'a' }), collection.findOne({ _id: 'b' })]);
    assert.deepEqual(found, [
      { _id: 'a', n: 1 },
      { _id: 'b', n: 2 },
    ]);
  });

  test('of reads at once each gets its own document, or null', async () => {
    const collection = await suite.holding(
      ...Array.from({ length: 100 }, (_, n) => ({ _id: `id${n}`, n, inner: { n } })),
    );
    const ids = Array.from({ length: 150 }, (_, n) => `id${(n * 7) % 120}`);
    const found = await Promise.all(ids.map((_id) => collection.findOne({ _id })));
    for (const [at, id] of ids.entries()) {
      const n = Number(id.slice(2));
      assert.deepEqual(found[at], n < 100 ? { _id: id, n, inner: { n } } : null);
    }
  });

  test('a read after a write sees it, also among other reads', async () => {
    const collection = await suite.holding({ _id: 'a', n: 0 }, { _id: 'b', n: 0 });
    const steps = async (_id: string): Promise<number[]> => {
      const seen: number[] = [];
      for (let n = 1; n <= 20; n += 1) {
        await collection.updateOne({ _id }, { $set: { n } });
        seen.push(Number((await collection.findOne({ _id }))?.['n']));
      }
      return seen;
    };
    const expected = Array.from({ length: 20 }, (_, at) => at + 1);
    assert.deepEqual(await Promise.all([steps('a'), steps('b')]), [expected, expected]);
  });
});
