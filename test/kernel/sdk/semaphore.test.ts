import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Semaphore } from 'plugboard/sdk';

test('work of one key waits for its own kind alone', async () => {
  const semaphore = new Semaphore(1);
  const order: string[] = [];
  let end = (): void => {};
  const held = new Promise<void>((resolve) => (end = resolve));
  const slow = semaphore.run(() => held.then(() => void order.push('slow a')), 'a');
  const next = semaphore.run(async () => void order.push('next a'), 'a');
  await semaphore.run(async () => void order.push('b'), 'b');
  end();
  await Promise.all([slow, next]);
  assert.deepEqual(order, ['b', 'slow a', 'next a']);
});

test('work behind a full queue of its key is refused, and a later one is taken', async () => {
  const semaphore = new Semaphore(1, { queue: 0, full: () => new Error('full') });
  const first = semaphore.run(() => Promise.resolve(1), 'a');
  await assert.rejects(
    semaphore.run(() => Promise.resolve(2), 'a'),
    /full/,
  );
  assert.deepEqual(await Promise.all([first, semaphore.run(() => Promise.resolve(3), 'b')]), [1, 3]);
  assert.equal(await semaphore.run(() => Promise.resolve(4), 'a'), 4);
});
