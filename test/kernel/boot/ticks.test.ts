import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptEntries } from '../../../kernel/boot/ticks.js';

test('one entry of process.nextTick is kept, and none that comes later', async () => {
  await new Promise<void>((resolve) => process.nextTick(resolve));
  assert.equal(keptEntries.length, 1);
});
