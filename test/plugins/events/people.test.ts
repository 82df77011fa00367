/** The accounts of the feeds are those of the server's directory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Document, Jobs } from 'plugboard/sdk';
import { createService } from '../../../plugins/events/service.js';
import { directoryOn } from '../../support/storage/directory.js';
import { openStore, type OpenStore } from '../../support/storage/open-store.js';
import { eachStore } from '../../support/stores.js';
import { EventsServer, type Listed } from './support/boot.js';

const push = (login: string, repo: object) => ({ type: 'PushEvent', actor: { login }, repo, public: true });

eachStore('people of the feeds', (store) => {
  test('a user who was made by management has feeds, and the same number as in them', async () => {
    await using served = await EventsServer.boot({}, { storage: await store.fresh() });
    const authorization = `Bearer ${await served.server.key('*')}`;
    const made = await served.server.inject({
      method: 'POST',
      url: '/api/users',
      headers: { authorization },
      payload: { login: 'Ann' },
    });
    const { id } = made.json<{ id: number }>();
    assert.deepEqual(await served.ids('/users/ann/events'), []);
    await served.directory({ put: { repositories: [{ id: 7, name: 'ann/one', private: false }] } });
    await served.publish(push('ann', { name: 'ann/one' }));
    const [event] = (await served.get('/users/ann/events')).json<Listed[]>();
    assert.equal(event?.actor.id, id);
    assert.equal(event?.actor.login, 'Ann');

    const url = `/api/users/${id}`;
    await served.server.inject({ method: 'DELETE', url, headers: { authorization } });
    assert.equal((await served.get('/users/ann/events')).status, 404);
  });

  test('an account that an event brought is nobody to log in as, until a user is made of it, with its number', async () => {
    await using served = await EventsServer.boot({}, { storage: await store.fresh() });
    const headers = { authorization: `Bearer ${await served.server.key('*')}` };
    const list = async () =>
      (await served.server.inject({ url: '/api/users', headers })).json<{ users: { id: number }[] }>().users;
    await served.publish({
      ...push('bo', { id: 5, name: 'bo/one' }),
      actor: { id: 400, login: 'bo' },
    });
    assert.deepEqual(await list(), []);
    const made = await served.server.inject({
      method: 'POST',
      url: '/api/users',
      headers,
      payload: { login: 'bo' },
    });
    assert.equal(made.json<{ id: number }>().id, 400);
    assert.deepEqual(
      (await list()).map(({ id }) => id),
      [400],
    );
    const renamed = await served.post('/api/events/directory', {
      put: { users: [{ id: 400, login: 'bob' }] },
    });
    assert.equal(renamed.status, 422, 'a key for events does not rename a user of the server');
    const next = await served.server.inject({
      method: 'POST',
      url: '/api/users',
      headers,
      payload: { login: 'cy' },
    });
    assert.notEqual(next.json<{ id: number }>().id, 400);
  });

  test('accounts that events kept move to the directory once, by two instances at once, and numbers that changed places too', async () => {
    const opened = await openStore(await store.fresh());
    try {
      await storeKept(opened);
      const people = directoryOn(opened.storageOf('directory'));
      const services = [serviceOn(opened), serviceOn(opened)];
      await opened.start();
      // Ann and bo have each other's numbers there; cy's number is somebody else's.
      await people.create({ id: 1, login: 'bo', type: 'User' });
      await people.create({ id: 2, login: 'Ann', type: 'User' });
      await people.create({ id: 3, login: 'zoe', type: 'User' });
      await Promise.all(services.map((service) => service.prepare()));

      const cy = (await people.byLogin('cy'))?.id ?? assert.fail('cy is there');
      assert.ok(![1, 2, 3, 4].includes(cy));
      assert.equal((await people.byLogin('dora'))?.id, 4);
      const { storage } = opened;
      const events = await storage
        .collection<Document & { actor: number; text: string }>({ name: 'events' })
        .find({}, { sort: { _id: 1 } })
        .toArray();
      const owned = events.map(({ actor, text }) => [
        actor,
        /"actor":\{"id":(\d+),"login":"(\w+)"/.exec(text)?.slice(1).join(' '),
      ]);
      assert.deepEqual(owned, [
        [2, '2 ann'],
        [1, '1 bo'],
        [cy, `${cy} cy`],
        [4, '4 dora'],
      ]);
      const ties = await storage
        .collection({ name: 'ties' })
        .find({}, { sort: { _id: 1 } })
        .toArray();
      assert.deepEqual(
        ties.map(({ _id }) => _id),
        ['follow:1:2', `follow:2:${cy}`].toSorted(),
      );
      const repository = await storage
        .collection<Document & { owner: number }>({ name: 'repositories' })
        .findOne({ _id: '9' });
      assert.equal(repository?.owner, 2);
      assert.equal(await storage.collection({ name: 'accounts' }).countDocuments({}), 0);
      await services[0]?.prepare();
      assert.equal((await people.list({ limit: 10 })).length, 5);
    } finally {
      await opened.close();
    }
  });
});

function serviceOn(opened: OpenStore) {
  const directory = directoryOn(opened.storageOf('directory'));
  const options = { retentionDays: 90, maxFollowed: 100, scanLimit: 1_000, cacheMegabytes: 1 };
  return createService({ storage: opened.storage, directory, clock: Date, jobs: {} as Jobs }, options);
}

/** What was stored before there was a directory of the server. */
async function storeKept({ storage }: OpenStore): Promise<void> {
  const at = new Date();
  const logins = ['ann', 'bo', 'cy', 'dora'];
  await storage.collection({ name: 'accounts', indexes: [{ keys: { key: 1 }, unique: true }] }).insertMany(
    logins.map((login, index) => ({
      _id: String(index + 1),
      id: index + 1,
      login,
      key: login,
      type: 'User',
      imageId: '',
      avatarUrl: null,
      activeAt: at,
    })),
  );
  await storage.collection({ name: 'events' }).insertMany(
    logins.map((login, index) => ({
      _id: `1${index}`,
      actor: index + 1,
      repo: 9,
      public: true,
      at,
      text: `{"id":"1${index}","type":"PushEvent","actor":{"id":${index + 1},"login":"${login}"},"payload":{"id":12345678901234567890}}`,
    })),
  );
  await storage.collection({ name: 'ties' }).insertMany([
    { _id: 'follow:1:3', kind: 'follow', user: 1, target: 3 },
    { _id: 'follow:2:1', kind: 'follow', user: 2, target: 1 },
  ] as object[] as Document[]);
  await storage.collection({ name: 'repositories' }).insertOne({
    _id: '9',
    id: 9,
    name: 'ann/one',
    key: 'ann/one',
    owner: 1,
    private: false,
    parent: null,
    network: 9,
    activeAt: at,
  } as object as Document);
}
