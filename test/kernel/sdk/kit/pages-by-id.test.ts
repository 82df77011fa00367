/** Pages through a collection that is written to meanwhile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pagesById } from 'plugboard/sdk';
import { eachStore } from '../../../support/stores.js';
import { suiteStore } from '../../../support/storage/store-of-test.js';

eachStore('pages by id', (store) => {
  const suite = suiteStore(store);
  const gathered = async <T>(pages: AsyncIterable<readonly T[]>): Promise<(readonly T[])[]> => {
    const all: (readonly T[])[] = [];
    for await (const page of pages) all.push(page);
    return all;
  };
  const idsIn = async (pages: AsyncIterable<readonly { _id: string }[]>): Promise<string[][]> =>
    (await gathered(pages)).map((page) => page.map(({ _id }) => _id));

  test('hold every document once, in the order of ids, after the one that is named', async () => {
    const documents = ['d', 'a', 'e', 'b', 'c', ''].map((_id) => ({ _id, n: 1, text: 'x' }));
    const collection = await suite.holding(...documents);
    assert.deepEqual(await idsIn(pagesById(collection, { size: 2 })), [
      ['', 'a'],
      ['b', 'c'],
      ['d', 'e'],
    ]);
    assert.deepEqual(await idsIn(pagesById(collection, { size: 4, after: 'a' })), [['b', 'c', 'd', 'e']]);
    assert.deepEqual(await idsIn(pagesById(collection, { after: 'e' })), []);
    const [page] = await gathered(pagesById(collection, { after: 'd', projection: { n: 1 } }));
    assert.deepEqual(page, [{ _id: 'e', n: 1 }]);
  });

  test('go on where documents were deleted and inserted', async () => {
    const collection = await suite.holding({ _id: 'a' }, { _id: 'b' }, { _id: 'c' }, { _id: 'd' });
    const met: string[][] = [];
    for await (const page of pagesById(collection, { size: 2 })) {
      met.push(page.map(({ _id }) => _id));
      if (met.length > 1) continue;
      await collection.deleteMany({ _id: { $in: ['b', 'c'] } });
      await collection.insertMany([{ _id: 'aa' }, { _id: 'cc' }]);
    }
    assert.deepEqual(met, [
      ['a', 'b'],
      ['cc', 'd'],
    ]);
  });
});
