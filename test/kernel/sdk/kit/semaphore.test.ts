import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Semaphore } from 'plugboard/sdk';

test('work of one key waits for its own kind alone', async () => {
  const semaphore = new Semaphore(1);
  const order: string[] = [];
  let end = (): void => {};
  const held = new Promise<void>((resolve) => (end = resolve));
  const slow = semaphore.run(() => held.then(() => void order.push('slow a')), { key: 'a' });
  const next = semaphore.run(async () => void order.push('next a'), { key: 'a' });
  await semaphore.run(async () => void order.push('b'), { key: 'b' });
  end();
  await Promise.all([slow, next]);
  assert.deepEqual(order, ['b', 'slow a', 'next a']);
});

test('work for a full queue of its key is refused, and a later one is taken', async () => {
  const semaphore = new Semaphore(1, { queue: 0, full: () => new Error('full') });
  const first = semaphore.run(() => Promise.resolve(1), { key: 'a' });
  await assert.rejects(
    semaphore.run(() => Promise.resolve(2), { key: 'a' }),
    /full/,
  );
  assert.deepEqual(await Promise.all([first, semaphore.run(() => Promise.resolve(3), { key: 'b' })]), [1, 3]);
  assert.equal(await semaphore.run(() => Promise.resolve(4), { key: 'a' }), 4);
});

test('one whose signal is aborted while it waits leaves the queue, and the next in line gets the place', async () => {
  const semaphore = new Semaphore(1);
  const release = await semaphore.acquire();
  const gone = new AbortController();
  const left = semaphore.run(() => Promise.resolve('ran'), { signal: gone.signal });
  const next = semaphore.run(() => Promise.resolve('next'));
  gone.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  release();
  assert.equal(await next, 'next');
  await assert.rejects(
    semaphore.run(() => Promise.resolve('ran'), { signal: gone.signal }),
    /gone/,
  );
});

test('a place that is given back twice is free once', async () => {
  const semaphore = new Semaphore(1, { queue: 0, full: (key) => new Error(`full: ${key}`) });
  const release = await semaphore.acquire({ key: 'a' });
  release();
  const held = await semaphore.acquire({ key: 'a' });
  release();
  await assert.rejects(semaphore.acquire({ key: 'a' }), /full: a/);
  held();
  (await semaphore.acquire({ key: 'a' }))();
});
