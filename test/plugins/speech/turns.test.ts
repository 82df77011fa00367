import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn, Semaphore } from 'plugboard/sdk';
import { read } from '../../../plugins/speech/reading/reading.js';

/** Occupies the event loop. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** How often the event loop comes round while something is under way. */
async function loopsDuring(underWay: Promise<unknown>): Promise<number> {
  let loops = 0;
  let timer = setImmediate(function count() {
    loops += 1;
    timer = setImmediate(count);
  });
  await underWay;
  clearImmediate(timer);
  return loops;
}

test('many short pieces of work at a time leave room for others between them', async () => {
  const readings = new Semaphore(1);
  const pieces = Array.from({ length: 40 }, () =>
    readings.run(() => {
      work(2);
      return Promise.resolve();
    }),
  );
  assert.ok((await loopsDuring(Promise.all(pieces))) >= 10);
});

test('pieces of work run one after another, and a failed one stops no other', async () => {
  const readings = new Semaphore(1);
  const order: string[] = [];
  const piece = (name: string) => () =>
    readings.run(async () => {
      order.push(`${name} begins`);
      await nextTurn();
      order.push(`${name} ends`);
      if (name === 'a') throw new Error('a fails');
    });
  await Promise.allSettled([piece('a')(), piece('b')()]);
  assert.deepEqual(order, ['a begins', 'a ends', 'b begins', 'b ends']);
});

test('a long text is read in several turns', async () => {
  // Of much more than one turn, on a fast machine too.
  const text = '½㈜12개 2026-99-99 '.repeat(4096);
  assert.ok((await loopsDuring(read(text))) > 1);
});
