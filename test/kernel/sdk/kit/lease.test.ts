/** Leases: one holder at a time, whatever the clocks of the machines say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lease, type LeaseDocument } from 'plugboard/sdk';
import { eachStore } from '../../../support/stores.js';
import { suiteStore } from '../../../support/storage/store-of-test.js';

eachStore('a lease', (store) => {
  const suite = suiteStore(store);

  async function two() {
    const collection = await suite.collection<LeaseDocument>();
    const time = { one: 0, two: 1e9 };
    return {
      time,
      one: new Lease(collection, 'work', 1000, () => time.one),
      two: new Lease(collection, 'work', 1000, () => time.two),
    };
  }

  test('has one holder, and goes to another one when it is released', async () => {
    const { one, two: other } = await two();
    assert.equal(await one.acquire(), true);
    assert.equal(await other.acquire(), false);
    assert.equal(await one.acquire(), true);
    await other.release();
    assert.equal(await other.acquire(), false);
    await one.release();
    assert.equal(await other.acquire(), true);
    assert.equal(await one.acquire(), false);
  });

  test('of a holder whose beat stops goes to the one that has watched it for its duration', async () => {
    const { time, one, two: other } = await two();
    await one.acquire();
    assert.equal(await other.acquire(), false);
    time.two += 999;
    assert.equal(await other.acquire(), false);
    time.two += 1;
    assert.equal(await other.acquire(), true);
    assert.equal(await one.acquire(), false);
  });

  test('of a holder that renews stays, however far the clocks are apart', async () => {
    const { time, one, two: other } = await two();
    await one.acquire();
    for (let round = 0; round < 5; round++) {
      assert.equal(await other.acquire(), false);
      time.two += 900;
      time.one -= 5000;
      assert.equal(await one.acquire(), true);
    }
  });

  test('goes to one of those who want it at once', async () => {
    const collection = await suite.collection<LeaseDocument>();
    const all = Array.from({ length: 8 }, () => new Lease(collection, 'work', 1000));
    const taken = await Promise.all(all.map((lease) => lease.acquire()));
    assert.equal(taken.filter(Boolean).length, 1);
  });
});
