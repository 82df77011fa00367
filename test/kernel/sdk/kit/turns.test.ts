import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn, turnIsOver } from 'plugboard/sdk';

/** Until the turn is used up. */
function work(): void {
  while (!turnIsOver());
}

test('a turn of the event loop has room for one turn of long work, however many there are', async () => {
  let done = 0;
  const task = async (): Promise<void> => {
    for (let slice = 0; slice < 3; slice++) {
      await nextTurn();
      work();
      done += 1;
    }
  };
  const most: number[] = [];
  let before = 0;
  const watch = (): void => {
    most.push(done - before);
    before = done;
    if (done < 60) setImmediate(watch);
  };
  setImmediate(watch);
  await Promise.all(Array.from({ length: 20 }, task));
  assert.equal(done, 60);
  assert.ok(Math.max(...most) <= 1, `turns of work in each turn of the loop: ${most.join(' ')}`);
});

test('work that begins in a turn that other work has used up sees it', async () => {
  await freshTurn();
  work();
  assert.equal(turnIsOver(), true);
  await freshTurn();
});

/** A turn that is not used up; on a busy machine the process may lose the processor for the whole of one. */
async function freshTurn(): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    await nextTurn();
    if (!turnIsOver()) return;
  }
  assert.fail('every turn begins used up');
}

test('long work goes on in the order in which it waits', async () => {
  const order: number[] = [];
  await Promise.all([1, 2, 3].map((at) => nextTurn().then(() => order.push(at))));
  assert.deepEqual(order, [1, 2, 3]);
});
