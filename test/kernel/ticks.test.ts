/** The shape of what `process.nextTick` queues. */
import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { ENTRY } from '../../kernel/ticks.js';

const major = Number(process.versions.node.split('.')[0]);

test(
  'the entry that is kept has the shape of those that Node queues',
  { skip: major > 20 && 'later versions of Node add a property that no other object has' },
  () => {
    const queued: object[] = [];
    const hook = createHook({
      init: (_id, type, _trigger, resource) => void (type === 'TickObject' && queued.push(resource)),
    });
    hook.enable();
    process.nextTick(() => undefined);
    hook.disable();
    setFlagsFromString('--allow-natives-syntax');
    // oxlint-disable-next-line no-implied-eval -- the syntax is V8's own
    const haveSameShape = new Function('a', 'b', 'return %HaveSameMap(a, b)') as (
      a: object,
      b: object,
    ) => boolean;
    assert.equal(queued.length, 1);
    assert.ok(haveSameShape(queued[0]!, ENTRY));
  },
);
