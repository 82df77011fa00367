import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Batcher, type BatchOptions, type Outcome } from 'plugboard/sdk';

/** Work that notes its batches and answers each when the test says so. */
function heldWork(options: BatchOptions<string>) {
  const batches: (readonly string[])[] = [];
  const ends: ((failure?: Error) => void)[] = [];
  const work = (inputs: readonly string[]): Promise<Outcome<string>[]> =>
    new Promise((resolve, reject) => {
      batches.push(inputs);
      const outcome = (input: string): Outcome<string> =>
        input === 'wrong' ? { error: new Error('refused') } : { value: input.toUpperCase() };
      ends.push((failure) => (failure === undefined ? resolve(inputs.map(outcome)) : reject(failure)));
    });
  /** Ends the batch under way, or the one that is about to begin. */
  const end = async (failure?: Error): Promise<void> => {
    while (ends.length === 0) await turn();
    ends.shift()?.(failure);
  };
  return { batches, end, batcher: new Batcher(work, options) };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('calls of one turn share a batch; calls made while it is answered share the next', async () => {
  const { batches, end, batcher } = heldWork({ most: 10 });
  const first = [batcher.call('a'), batcher.call('b')];
  await turn();
  const late = [batcher.call('c'), batcher.call('d')];
  await turn();
  assert.deepEqual(batches, [['a', 'b']]);
  assert.equal(batcher.waiting, 2);
  await end();
  assert.deepEqual(await Promise.all(first), ['A', 'B']);
  await turn();
  await end();
  assert.deepEqual(await Promise.all(late), ['C', 'D']);
  assert.equal(batcher.isIdle, true);
  assert.equal(batches.length, 2);
});

test('batches that may overlap do not wait for each other', async () => {
  const { batches, end, batcher } = heldWork({ most: 2, overlap: true });
  const answers = ['a', 'b', 'c'].map((input) => batcher.call(input));
  await turn();
  assert.deepEqual(batches, [['a', 'b'], ['c']]);
  for (const _ of batches) await end();
  assert.deepEqual(await Promise.all(answers), ['A', 'B', 'C']);
});

test('a batch ends before its size passes the most, and a call that is larger comes alone', async () => {
  const { batches, end, batcher } = heldWork({ most: 3, size: ({ length }) => length, overlap: true });
  const answers = ['aa', 'b', 'cccc', 'd'].map((input) => batcher.call(input));
  await turn();
  assert.deepEqual(batches, [['aa', 'b'], ['cccc'], ['d']]);
  for (const _ of batches) await end();
  await Promise.all(answers);
});

test('a refused call fails alone; work that fails fails all of its batch, and none after it', async () => {
  const { end, batcher } = heldWork({ most: 10 });
  const mixed = Promise.allSettled([batcher.call('a'), batcher.call('wrong')]);
  await turn();
  await end();
  assert.deepEqual(
    (await mixed).map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  const failed = Promise.allSettled([batcher.call('a'), batcher.call('b')]);
  await turn();
  await end(new Error('away'));
  assert.deepEqual(
    (await failed).map((one) => one.status === 'rejected' && (one.reason as Error).message),
    ['away', 'away'],
  );
  const after = batcher.call('c');
  await turn();
  await end();
  assert.equal(await after, 'C');
});

test('idle resolves when all calls are answered', async () => {
  const { end, batcher } = heldWork({ most: 1 });
  const answers = [batcher.call('a'), batcher.call('b')];
  let idle = false;
  const waited = batcher.idle().then(() => (idle = true));
  await turn();
  await end();
  await answers[0];
  assert.equal(idle, false);
  await end();
  await waited;
  assert.equal(batcher.isIdle, true);
});
