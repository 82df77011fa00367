/** The concurrency limit of an account, over the instances of a deployment. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Storage } from 'plugboard/sdk';
import { SharedSlots } from '../../../plugins/accounts/concurrency/shared-slots.js';
import { Refused } from '../../../plugins/accounts/errors/errors.js';
import { openStore } from '../../support/storage/open-store.js';
import { eachStore, type StoreConfig } from '../../support/stores.js';

const LIMIT = 4;

eachStore('the places of an account', (store) => {
  test('are given out over all instances, to one alone as well, and are free again', async () => {
    await onStore(await store.fresh(), async (storage) => {
      const [one, other] = [new SharedSlots(storage, Date, LIMIT), new SharedSlots(storage, Date, LIMIT)];
      assert.equal(await together([one], 12), LIMIT, 'one instance has them all');
      assert.equal(await together([one, other], 12), LIMIT, 'two have as many');
      assert.equal(await together([one, other], LIMIT), LIMIT, 'and none is lost');
      assert.equal(await together([new SharedSlots(storage, Date, 0)], 2), 0);
    });
  });

  test('of an instance that died are free after a minute', async () => {
    await onStore(await store.fresh(), async (storage) => {
      let now = Date.now();
      const slots = new SharedSlots(storage, { now: () => now }, 1);
      await new Promise<void>((begun) => {
        const never = (): Promise<never> => {
          begun();
          return new Promise(() => {});
        };
        void slots.run(never, { key: 'acct_1' });
      });
      const taken = (): Promise<boolean> =>
        slots
          .run(() => Promise.resolve(false), { key: 'acct_1' })
          .catch((error: unknown) => error instanceof Refused);
      assert.equal(await taken(), true);
      now += 59_000;
      assert.equal(await taken(), true);
      now += 2_000;
      assert.equal(await taken(), false);
    });
  });
});

/** How many of so many at once get a place; those that do keep it until all have been answered. */
async function together(instances: readonly SharedSlots[], count: number): Promise<number> {
  let answered = 0;
  let open = (): void => {};
  const all = new Promise<void>((resolve) => (open = resolve));
  const note = (): void => {
    answered += 1;
    if (answered === count) open();
  };
  const results = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      try {
        const held = async (): Promise<number> => {
          note();
          await all;
          return 1;
        };
        return await instances[at % instances.length]!.run(held, { key: 'acct_1' });
      } catch (error) {
        assert.ok(error instanceof Refused, String(error));
        note();
        return 0;
      }
    }),
  );
  return results.reduce<number>((sum, got) => sum + got, 0);
}

async function onStore(store: StoreConfig, work: (storage: Storage) => Promise<void>): Promise<void> {
  const opened = await openStore(store);
  try {
    // Declared before the start, as by a plugin.
    new SharedSlots(opened.storage, Date, 1);
    await opened.start();
    await work(opened.storage);
  } finally {
    await opened.close();
  }
}
