/** A bound on documents that are inserted at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { insertWithin, newId } from 'plugboard/sdk';
import { eachStore } from '../../../support/stores.js';
import { suiteStore } from '../../../support/storage/store-of-test.js';

eachStore('insertWithin', (store) => {
  const suite = suiteStore(store);

  test('never leaves more than the bound, however many are inserted at once, and counts those alike alone', async () => {
    const others = Array.from({ length: 5 }, () => ({ _id: newId(), of: 'others' }));
    const collection = await suite.holding(...others);
    const insert = () => insertWithin(collection, { _id: newId(), of: 'us' }, { of: 'us' }, 5);
    let taken = 0;
    for (let round = 0; round < 10; round += 1)
      taken += (await Promise.all(Array.from({ length: 8 }, insert))).filter((done) => done).length;
    assert.ok(taken <= 5);
    assert.equal(await collection.countDocuments({ of: 'us' }), taken);
    while (taken < 5) taken += (await insert()) ? 1 : assert.fail('there is room');
    assert.equal(await insert(), false);
    assert.equal(await collection.countDocuments({}), 10);
  });
});
