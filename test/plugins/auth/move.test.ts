import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document } from 'plugboard/sdk';
import { moveUsers } from '../../../plugins/auth/users/move.js';
import { directoryOn } from '../../support/storage/directory.js';
import { openStore } from '../../support/storage/open-store.js';
import { eachStore } from '../../support/stores.js';

eachStore('users who were stored whole', (store) => {
  test('they move to the directory, by two instances at once, with numbers and passwords', async () => {
    const opened = await openStore(await store.fresh());
    try {
      const auth = opened.storageOf('auth');
      const users = auth.collection({ name: 'users' });
      const createdAt = new Date('2026-01-02T03:04:05Z');
      await users.insertMany(
        ['Ann', 'bo'].map((login, at) => ({
          _id: String(at + 1),
          id: at + 1,
          login,
          loginKey: login.toLowerCase(),
          type: 'User',
          siteAdmin: false,
          imageId: 'x',
          name: null,
          email: null,
          password: `hash of ${login}`,
          otp: null,
          access: 'viewer',
          createdAt,
        })),
      );
      await auth
        .collection<Document & { value: number }>({ name: 'counters' })
        .insertOne({ _id: 'users', value: 5 });
      const people = directoryOn(opened.storageOf('directory'));
      const credentials = auth.collection<Document & { password: string }>({ name: 'credentials' });
      await opened.start();
      const move = () => moveUsers(auth, people, credentials as never, () => {});
      await Promise.all([move(), move()]);
      await move();
      const ann = await people.byLogin('ann');
      assert.deepEqual([ann?.id, ann?.login, ann?.createdAt, ann?.external], [1, 'Ann', createdAt, false]);
      assert.equal((await credentials.findOne({ _id: '2' }))?.password, 'hash of bo');
      assert.equal(await users.countDocuments({}), 0);
      assert.ok(
        (await people.create({ login: 'cy', type: 'User' })).id > 5,
        'numbers of deleted users stay theirs',
      );
    } finally {
      await opened.close();
    }
  });
});
