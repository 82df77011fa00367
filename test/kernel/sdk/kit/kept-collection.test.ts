/** What is kept in memory of a collection: level with its changes, or known not to be. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { followChanges, KeptCollection, StorageError, type Collection, type Document } from 'plugboard/sdk';
import { eventually } from '../../../support/eventually.js';
import { logEntries } from '../../../support/log-entries.js';
import { silentLog } from '../../../support/silent-log.js';
import { eachStore } from '../../../support/stores.js';
import { suiteStore } from '../../../support/storage/store-of-test.js';

interface Flag extends Document {
  readonly on: boolean;
}

/** Aborted when the test ends. */
function signalOf(context: TestContext): AbortSignal {
  const ended = new AbortController();
  context.after(() => ended.abort());
  return ended.signal;
}

/** Its first feeds fail, as many as there are errors. */
function failing(collection: Collection<Flag>, ...errors: Error[]) {
  return {
    name: 'flags',
    changes: (...options: Parameters<Collection<Flag>['changes']>) => {
      const error = errors.shift();
      return error === undefined ? collection.changes(...options) : Promise.reject(error);
    },
  };
}

eachStore('a kept collection', (store) => {
  const suite = suiteStore(store);
  const flags = (...documents: Flag[]) => suite.holding<Flag>(...documents);
  const keep = (
    collection: Collection<Flag>,
    from: Pick<Collection<Flag>, 'changes' | 'name'> = collection,
  ) =>
    new KeptCollection(from, async () =>
      (await collection.find({ on: true }).toArray()).map(({ _id }) => _id),
    );

  test('is read at once, and anew after each change, until its signal is aborted', async (t) => {
    const collection = await flags({ _id: 'a', on: true });
    const kept = keep(collection);
    assert.equal(kept.current, undefined);
    const end = new AbortController();
    t.after(() => end.abort());
    const following = kept.follow({ log: silentLog, signal: end.signal });
    await eventually(() => kept.current?.join() === 'a', 'the first read');
    await collection.insertOne({ _id: 'b', on: true });
    await eventually(() => kept.current?.join() === 'a,b', 'an insert');
    await collection.deleteOne({ _id: 'a' });
    await eventually(() => kept.current?.join() === 'b', 'a deletion');
    end.abort();
    await following;
    assert.equal(kept.current, undefined, 'nobody keeps it level any more');
  });

  test('has what was written before a refresh was asked for, however many are under way', async () => {
    const collection = await flags();
    const kept = keep(collection);
    const seen = ['a', 'b', 'c', 'd'].map(async (_id) => {
      await collection.insertOne({ _id, on: true });
      return (await kept.refresh()).includes(_id);
    });
    assert.deepEqual(await Promise.all(seen), [true, true, true, true]);
  });

  test('reads once at a time, so that an older value never replaces a newer one', async () => {
    const collection = await flags();
    let running = 0;
    let most = 0;
    const kept = new KeptCollection(collection, async () => {
      most = Math.max(most, (running += 1));
      await collection.countDocuments({});
      running -= 1;
    });
    await Promise.all([kept.refresh(), kept.refresh(), kept.refresh()]);
    assert.equal(most, 1);
  });

  test('is unknown while its feed is lost, which is logged once, and known when it is back', async (t) => {
    const collection = await flags({ _id: 'a', on: true });
    const away = () => new StorageError('unavailable', 'the store is away');
    const kept = keep(collection, failing(collection, away(), away()));
    const log = logEntries();
    void kept.follow({ log, signal: signalOf(t) });
    await kept.refresh();
    assert.equal(kept.current, undefined, 'only a read can tell');
    await eventually(() => kept.current?.join() === 'a', 'the third feed');
    assert.deepEqual(log.at('warn'), ['lost the change feed of "flags"; opening it again']);
  });

  test('whose reading fails after a change is unknown until it was read', async (t) => {
    const collection = await flags();
    let faults = 0;
    const kept = new KeptCollection(collection, async () => {
      const found = await collection.find({}).toArray();
      if (found.length === 1 && (faults += 1) === 1) throw new Error('unreadable');
      return found.length;
    });
    void kept.follow({ log: silentLog, signal: signalOf(t) });
    await eventually(() => kept.current === 0, 'the first read');
    await collection.insertOne({ _id: 'a', on: true });
    await eventually(() => faults === 1 && kept.current === undefined, 'the failure');
    await eventually(() => kept.current === 1, 'the next read');
  });

  test('of a store without a feed is read again and again, and only a read can tell', async (t) => {
    const collection = await flags();
    const kept = keep(collection, failing(collection, new StorageError('unsupported', 'there is no feed')));
    let read: readonly string[] = [];
    const refresh = kept.refresh.bind(kept);
    t.mock.method(kept, 'refresh', async () => (read = await refresh()));
    void kept.follow({ log: silentLog, signal: signalOf(t) });
    await collection.insertOne({ _id: 'a', on: true });
    await eventually(() => read.includes('a'), 'a later read');
    assert.equal(kept.current, undefined);
  });

  test('changes are followed one by one, between the opening of a feed and its end', async (t) => {
    const collection = await flags();
    const told: string[] = [];
    const end = new AbortController();
    t.after(() => end.abort());
    const follower = {
      opened: () => void told.push('opened'),
      changed: ({ kind, id }: { kind: string; id: string }) => void told.push(`${kind} ${id}`),
      lost: () => void told.push('lost'),
    };
    const following = followChanges(collection, follower, { log: silentLog, signal: end.signal });
    await eventually(() => told.length === 1, 'the feed');
    await collection.insertOne({ _id: 'a', on: true });
    await collection.deleteOne({ _id: 'a' });
    await eventually(() => told.length === 3, 'the changes');
    end.abort();
    await following;
    assert.deepEqual(told, ['opened', 'put a', 'delete a', 'lost']);
  });
});
