import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerId, OpenStreams } from 'plugboard/sdk';

test('a stream counts in all of its bounds, or in none', () => {
  const streams = new OpenStreams();
  const boundsOf = (name: string) => [
    { name, most: 2 },
    { name: 'all', most: 3 },
  ];
  const [first, second] = [streams.enter(boundsOf('ann')), streams.enter(boundsOf('ann'))];
  assert.ok(typeof first === 'function' && typeof second === 'function');
  assert.deepEqual(streams.enter(boundsOf('ann')), { name: 'ann', most: 2 });
  assert.equal(typeof streams.enter(boundsOf('bob')), 'function', 'the refused one counts for nobody');
  assert.deepEqual(streams.enter(boundsOf('bob')), { name: 'all', most: 3 });
  first();
  first();
  assert.equal(typeof streams.enter(boundsOf('ann')), 'function');
  assert.deepEqual(streams.enter(boundsOf('carl')), { name: 'all', most: 3 }, 'closed twice, it counts once');
});

test('who has no credential of their own is counted by address, the keys of a tenant together', () => {
  const key = { kind: 'key', id: 'k1', name: 'one', scopes: [] } as const;
  assert.equal(
    callerId({ ...key, owner: 'web' }, '10.0.0.1'),
    callerId({ ...key, id: 'k2', owner: 'web' }, '::1'),
  );
  assert.notEqual(callerId(key, '10.0.0.1'), callerId({ ...key, id: 'k2' }, '10.0.0.1'));
  const visitor = { ...key, publishable: true } as const;
  assert.notEqual(callerId(visitor, '10.0.0.1'), callerId(visitor, '10.0.0.2'));
  assert.equal(callerId(visitor, '10.0.0.1'), callerId({ kind: 'anonymous', scopes: [] }, '::ffff:10.0.0.1'));
});
