/** Reads that callers share: one at a time, and none that began before its caller asked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { SharedReads } from 'plugboard/sdk';

/** A store of one counter for all keys, whose reads see it as it is when they begin and end when the test says so. */
class SlowStore {
  written = 0;
  begun = 0;
  most = 0;
  readonly asked: (readonly string[])[] = [];
  readonly running: ((error?: Error) => void)[] = [];
  readonly reads = new SharedReads<string, number>(
    (keys) =>
      new Promise((resolve, reject) => {
        this.begun += 1;
        this.asked.push(keys);
        const found = new Map(keys.filter((key) => key !== 'none').map((key) => [key, this.written]));
        this.running.push((error) => (error === undefined ? resolve(found) : reject(error)));
        this.most = Math.max(this.most, this.running.length);
      }),
  );

  async end(error?: Error): Promise<void> {
    this.running.shift()?.(error);
    await quiet();
  }
}

/** Turns in which nobody comes: a read that waits for more callers begins. */
async function quiet(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) await turn();
}

test('callers of neighbouring turns share a read; those that come while it runs share the next', async () => {
  const store = new SlowStore();
  const first = [store.reads.get('a'), store.reads.get('a'), store.reads.get('b')];
  await turn();
  first.push(store.reads.get('none'));
  await quiet();
  store.written = 1;
  const late = Array.from({ length: 20 }, () => store.reads.get('a'));
  await quiet();
  assert.deepEqual(store.asked, [['a', 'b', 'none']]);
  await store.end();
  assert.deepEqual(await Promise.all(first), [0, 0, 0, undefined]);
  assert.deepEqual(store.asked.slice(1), [['a']]);
  await store.end();
  assert.deepEqual(new Set(await Promise.all(late)), new Set([1]));
});

test('a read that fails fails those who shared it, and nobody after them', async () => {
  const store = new SlowStore();
  const first = store.reads.get('a');
  const refused = assert.rejects(first, /away/);
  await quiet();
  const late = store.reads.get('a');
  await store.end(new Error('away'));
  await refused;
  await store.end();
  assert.equal(await late, 0);
});

test('a read that throws at once fails its callers alone', async () => {
  let calls = 0;
  const reads = new SharedReads<string, string>(() => {
    if ((calls += 1) === 1) throw new Error('refused');
    return Promise.resolve(new Map([['a', 'found']]));
  });
  await assert.rejects(reads.get('a'), /refused/);
  assert.equal(await reads.get('a'), 'found');
});

test('a read does not wait for ever while callers come with every turn', async () => {
  const store = new SlowStore();
  const answers: Promise<unknown>[] = [];
  while (store.begun === 0) {
    answers.push(store.reads.get('a'), store.reads.get('a'));
    await turn();
  }
  await store.end();
  await store.end();
  await Promise.all(answers);
});

test('a caller who looks at a failed answer no more brings nobody down', async () => {
  const store = new SlowStore();
  void store.reads.get('a');
  await quiet();
  await store.end(new Error('away'));
});

test('many keys are read in several reads, one after the other', async () => {
  const store = new SlowStore();
  const all = Promise.all(Array.from({ length: 1_200 }, (_, at) => store.reads.get(String(at))));
  await quiet();
  for (let read = 0; read < 3; read += 1) await store.end();
  assert.equal((await all).length, 1_200);
  assert.deepEqual(
    store.asked.map((keys) => keys.length),
    [500, 500, 200],
  );
  assert.equal(store.most, 1);
});

test('an answer rests on a read that began after its caller asked, whatever happens in which order', async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('get a', 'get b') },
    { weight: 3, arbitrary: fc.constant('write') },
    { weight: 3, arbitrary: fc.constant('turn') },
    { weight: 2, arbitrary: fc.constantFrom('end', 'fail') },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const store = new SlowStore();
      const answers: Promise<void>[] = [];
      for (const one of steps) {
        if (one === 'write') store.written += 1;
        else if (one === 'turn') await turn();
        else if (one === 'end') await store.end();
        else if (one === 'fail') await store.end(new Error('away'));
        else {
          const { written } = store;
          const holds = (seen: number | undefined): void => assert.ok((seen ?? -1) >= written);
          answers.push(
            store.reads
              .get(one.slice(4))
              .then(holds, (error: unknown) => assert.equal((error as Error).message, 'away')),
          );
        }
      }
      await quiet();
      while (store.running.length > 0) await store.end();
      await Promise.all(answers);
      assert.ok(store.most <= 1, 'one read at a time');
    }),
    { numRuns: 300 },
  );
});

test('of a store that counts its commits an answer is kept until the next commit, and no longer', async () => {
  const store = { commits: 1, value: 'old' };
  let reads = 0;
  /** Committed while the read runs. */
  let meanwhile = (): void => undefined;
  const shared = new SharedReads<string, string>(async (keys) => {
    reads += 1;
    const found = new Map(keys.map((key) => [key, store.value]));
    await turn();
    meanwhile();
    return found;
  }, store);
  assert.equal(shared.kept('a'), undefined);
  assert.equal(await shared.get('a'), 'old');
  assert.equal(await shared.get('a'), 'old');
  assert.equal(shared.kept('a'), 'old');
  assert.equal(reads, 1);
  Object.assign(store, { commits: 2, value: 'new' });
  assert.equal(shared.kept('a'), undefined);
  assert.equal(await shared.get('a'), 'new');
  meanwhile = () => Object.assign(store, { commits: 3, value: 'newer' });
  assert.equal(await shared.get('b'), 'new');
  meanwhile = () => undefined;
  assert.equal(await shared.get('b'), 'newer', 'what was read across a commit is not kept');
  assert.equal(await shared.get('a'), 'newer');
});
