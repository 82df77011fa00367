import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isServiceError } from 'plugboard/sdk';
import { pluginContract } from 'plugboard/testing';
import directory from '../../../plugins/directory/index.js';
import { directoryOn } from '../../support/storage/directory.js';
import { openStore } from '../../support/storage/open-store.js';
import { eachStore } from '../../support/stores.js';

pluginContract(directory);

const external = (id: number, login: string) =>
  ({ id, login, type: 'User', imageId: '', avatarUrl: null }) as const;

eachStore('directory', (store) => {
  test('of creations at once each has a number of its own, and one has the login', async () => {
    const opened = await openStore(await store.fresh());
    try {
      const people = directoryOn(opened.storage);
      await opened.start();
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, at) => people.create({ login: `user-${at}`, type: 'User' })),
      );
      assert.equal(new Set(made.map(({ id }) => id)).size, 20);
      const same = await Promise.allSettled(
        Array.from({ length: 5 }, () => people.create({ login: 'Ann', type: 'User' })),
      );
      assert.equal(same.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const each of same)
        if (each.status === 'rejected')
          assert.ok(isServiceError(each.reason) && each.reason.code === 'login_taken');
    } finally {
      await opened.close();
    }
  });

  test('numbers that other systems brought are passed over, and what is known stays as it is', async () => {
    const opened = await openStore(await store.fresh());
    try {
      const people = directoryOn(opened.storage);
      await opened.start();
      await people.note([external(1, 'one'), external(2, 'two'), external(3, 'ONE')]);
      assert.equal(await people.byId(3), null);
      assert.equal((await people.create({ login: 'ann', type: 'User' })).id, 3);
      await people.note([external(3, 'other'), external(9, 'ann')]);
      assert.equal((await people.byId(3))?.login, 'ann');
      assert.equal(await people.byId(9), null);
      assert.equal(await people.count({ external: true }), 2);
    } finally {
      await opened.close();
    }
  });
});
