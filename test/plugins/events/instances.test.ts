/** Several instances on one store: publishers do not meet, and polls read little. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Collection, Document, Jobs, Storage } from 'plugboard/sdk';
import { createService, type EventService } from '../../../plugins/events/service.js';
import { directoryOn } from '../../support/storage/directory.js';
import { openStore, type OpenStore } from '../../support/storage/open-store.js';
import { eachStore } from '../../support/stores.js';

const OPTIONS = { retentionDays: 90, maxFollowed: 100, scanLimit: 10_000, cacheMegabytes: 8 };

const serviceOn = (storage: Storage, opened: OpenStore): EventService =>
  createService(
    { storage, directory: directoryOn(opened.storageOf('directory')), clock: Date, jobs: {} as Jobs },
    OPTIONS,
  );

const publish = ({ management }: EventService, login: string, id: string) =>
  management.publisher.publish([
    {
      id,
      type: 'PushEvent',
      actor: { login },
      repo: { name: `${login}/one` },
      created_at: new Date().toISOString(),
    },
  ]);

const WORLD = {
  put: {
    users: ['ann', 'bo'].map((login, at) => ({ id: 1 + at, login, image_id: '' })),
    repositories: ['ann/one', 'bo/one'].map((name, at) => ({ id: 3 + at, name, private: false })),
  },
};

eachStore('instances', (store) => {
  test('a publisher does not wait for one of another repository that has not committed yet', async () => {
    const opened = await openStore(await store.fresh());
    try {
      let meanwhile = (): Promise<unknown> => Promise.resolve();
      const slow = overriding(opened.storage, {
        transaction: (work) =>
          opened.storage.transaction(async (tx) => {
            const done = await work(tx);
            await meanwhile();
            return done;
          }),
      });
      const [one, other] = [serviceOn(slow, opened), serviceOn(opened.storage, opened)];
      await opened.start();
      await one.prepare();
      await one.management.changeDirectory(WORLD);
      let begun: Promise<unknown> | undefined;
      meanwhile = () => (begun ??= publish(other, 'bo', 'from-bo'));
      assert.equal((await publish(one, 'ann', 'from-ann')).stored, 1);
      assert.ok(begun, 'the other one published inside');
      const subject = { feed: 'public' } as const;
      const asked = { subject, page: 1, viewer: undefined, base: 'http://h', path: '/events' };
      const { body } = await other.pages.page(asked, await other.pages.begin(), Date.now());
      const ids = (JSON.parse(body) as { id: string }[]).map(({ id }) => id);
      assert.deepEqual(ids.toSorted(), ['from-ann', 'from-bo']);
    } finally {
      await opened.close();
    }
  });

  test('a poll of a quiet repository reads the version of the directory and one range', async () => {
    const opened = await openStore(await store.fresh());
    try {
      const reads: string[] = [];
      const service = serviceOn(counting(opened.storage, reads), opened);
      await opened.start();
      await service.prepare();
      await service.management.changeDirectory(WORLD);
      await publish(service, 'ann', 'only');
      const subject = { feed: 'repository', owner: 'ann', repo: 'one' } as const;
      const asked = { subject, page: 1, viewer: undefined, base: 'http://h', path: '/x' };
      const poll = async (): Promise<string> =>
        (await service.pages.find(asked, await service.pages.begin(), Date.now())).etag;
      const first = await poll();
      reads.length = 0;
      assert.equal(await poll(), first);
      // The embedded store says itself that nothing was written.
      assert.deepEqual(reads, store.name === 'embedded' ? [] : ['versions', 'events']);
    } finally {
      await opened.close();
    }
  });
});

function overriding<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(from, name) {
      const value: unknown = Reflect.get(methods, name) ?? Reflect.get(from, name, from);
      return typeof value === 'function' ? (value.bind(from) as unknown) : value;
    },
  });
}

/** Notes the collection of every read outside of transactions. */
function counting(storage: Storage, reads: string[]): Storage {
  return overriding(storage, {
    collection<D extends Document>(spec: { readonly name: string }): Collection<D> {
      const collection = storage.collection<D>(spec);
      return overriding<Collection<D>>(collection, {
        find: (...call) => {
          reads.push(spec.name);
          return collection.find(...call);
        },
        findOne: (...call) => {
          reads.push(spec.name);
          return collection.findOne(...call);
        },
      });
    },
  });
}
