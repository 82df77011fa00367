/**
 * Polls and writes of two instances on one store, in random order and at the same time: a poll that begins after a
 * write was acknowledged shows it, and one after which nothing happened has the tag of the poll before.
 */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Jobs } from 'plugboard/sdk';
import { createService, type EventService } from '../../../../plugins/events/service.js';
import { directoryOn } from '../../../support/storage/directory.js';
import { openStore } from '../../../support/storage/open-store.js';
import type { StoreConfig } from '../../../support/stores.js';

const OPTIONS = { retentionDays: 90, maxFollowed: 100, scanLimit: 10_000, cacheMegabytes: 8 };
const IN_ONE_STORE = 200;

const instance = fc.nat({ max: 1 });
/** What runs at the same time; the next step begins when all of it has ended. */
const step = fc.record({
  writers: fc.array(instance, { maxLength: 2 }),
  pollers: fc.array(instance, { maxLength: 3 }),
});
const interleaving = fc.array(step, { minLength: 1, maxLength: 4 });

export async function checkInterleavings(fresh: () => Promise<StoreConfig>, count: number): Promise<void> {
  for (let done = 0; done < count; done += IN_ONE_STORE)
    await inOneStore(await fresh(), Math.min(IN_ONE_STORE, count - done));
}

async function inOneStore(store: StoreConfig, count: number): Promise<void> {
  const opened = await openStore(store);
  try {
    const directory = directoryOn(opened.storageOf('directory'));
    const parts = { storage: opened.storage, directory, clock: Date, jobs: {} as Jobs };
    const instances = [createService(parts, OPTIONS), createService(parts, OPTIONS)];
    await opened.start();
    await instances[0]!.prepare();
    await instances[0]!.management.changeDirectory({
      put: {
        users: [{ id: 1, login: 'ann', image_id: '' }],
        repositories: [{ id: 2, name: 'ann/one', private: false }],
      },
    });
    const acknowledged = new Set<string>();
    let written = 0;
    await fc.assert(
      fc.asyncProperty(interleaving, async (steps) => {
        for (const { writers, pollers } of steps) {
          const before = new Set(acknowledged);
          const writes = writers.map(async (at) => {
            const id = `w${String((written += 1)).padStart(6, '0')}`;
            await publish(instances[at]!, id);
            acknowledged.add(id);
          });
          const polls = pollers.map((at) => poll(instances[at]!));
          await Promise.all(writes);
          for (const { ids } of await Promise.all(polls)) holdsNewest(ids, before);
          const [one, other] = await Promise.all(instances.map(poll));
          holdsNewest(one!.ids, acknowledged);
          assert.equal(one!.etag, other!.etag, 'two instances, one state');
          assert.equal((await poll(instances[0]!)).etag, one!.etag, 'nothing happened');
        }
      }),
      { numRuns: count },
    );
  } finally {
    await opened.close();
  }
}

async function publish({ management }: EventService, id: string): Promise<void> {
  const event = { id, type: 'PushEvent', actor: { login: 'ann' }, repo: { name: 'ann/one' } };
  await management.publisher.publish([event]);
}

async function poll({ pages }: EventService): Promise<{ etag: string; ids: string[] }> {
  const subject = { feed: 'performed', user: 'ann' } as const;
  const asked = { subject, page: 1, viewer: undefined, base: 'http://h', path: '/x' };
  const version = await pages.begin();
  const { etag } = await pages.find(asked, version, Date.now());
  const { body } = await pages.page(asked, version, Date.now());
  return { etag, ids: (JSON.parse(body) as { id: string }[]).map(({ id }) => id) };
}

/** The page has every acknowledged event, or thirty later ones. */
function holdsNewest(ids: readonly string[], acknowledged: ReadonlySet<string>): void {
  const shown = new Set(ids);
  const missing = [...acknowledged].slice(-15).filter((id) => !shown.has(id));
  assert.deepEqual(missing, []);
}
