import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyRing } from '../../../plugins/router/upstream/keys.js';
import { Rest } from '../../../plugins/router/upstream/model-health.js';
import { parseRetryAfter, renderRetryAfter } from '../../../plugins/router/upstream/retry-after.js';
import { bootRouter, chat } from './support/boot.js';

const COOLDOWN = { base: 100, max: 1_000 };
const POLICIES = { breaker: { failures: 2, reset: 100 }, cooldown: COOLDOWN };

test('keys are used in turn, and one that rests is passed over until its time', () => {
  const ring = new KeyRing(['x', 'y'], POLICIES);
  const picked = (now: number, model = 'm') => ring.pick(model, now)?.key.secret;
  assert.deepEqual([picked(0), picked(0), picked(0)], ['x', 'y', 'x']);
  ring.all[0]?.rest.begin(0, 500);
  assert.deepEqual([picked(499), picked(499)], ['y', 'y']);
  assert.equal(picked(500), 'x');
});

test('a key at the limit of one model serves the others', () => {
  const ring = new KeyRing(['x'], POLICIES);
  const [x] = ring.all;
  x?.models.turnedAway('limited', 0, 500);
  assert.equal(ring.pick('limited', 100), undefined);
  assert.equal(ring.unusable('limited', 100).code, 'cooling_down');
  assert.equal(ring.pick('other', 100)?.key, x);
});

test('while a key that is not accepted rests, calls are told so, and of no limit', async () => {
  await using router = await bootRouter(['a']);
  router.upstreams[0]?.always({ kind: 'status', status: 401 });
  await router.post('/v1/chat/completions', chat('a/m'));
  const answer = await router.post('/v1/chat/completions', chat('a/m'));
  const { error } = (await answer.json()) as { error: { code: string; message: string } };
  assert.deepEqual([answer.status, error.code], [503, 'upstream_unavailable']);
  assert.match(error.message, /a\/m \(key_refused\)/);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
});

test('without Retry-After the rest doubles each time, up to the longest', () => {
  const rest = new Rest(COOLDOWN);
  const rests = [1, 2, 3, 4, 5, 6].map(() => {
    rest.until = 0;
    rest.begin(0, undefined);
    return rest.until;
  });
  assert.deepEqual(rests, [100, 200, 400, 800, 1_000, 1_000]);
});

test('calls that were out together and are all turned away are one rejection; a longer Retry-After still counts', () => {
  const rest = new Rest(COOLDOWN);
  assert.deepEqual(
    [1, 2, 3, 4].map(() => rest.begin(0, undefined)),
    [true, false, false, false],
  );
  assert.equal(rest.until, 100);
  assert.equal(rest.begin(0, 500), false);
  assert.equal(rest.until, 500);
  rest.begin(500, undefined);
  assert.equal(rest.until, 700, 'the second rejection in a row');
});

test('an upstream whose keys are all empty has none; one without apiKey needs none', () => {
  const none = new KeyRing([''], POLICIES);
  assert.equal(none.pick('m', 0), undefined);
  assert.equal(none.unusable('m', 0).code, 'no_api_key');
  assert.equal(new KeyRing(undefined, POLICIES).pick('m', 0)?.key.secret, null);
});

test('Retry-After is read as seconds or as a date, and given in whole seconds', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  assert.equal(parseRetryAfter('2', now), 2_000);
  assert.equal(parseRetryAfter('Thu, 01 Jan 2026 00:00:05 GMT', now), 5_000);
  assert.equal(parseRetryAfter('soon', now), undefined);
  assert.equal(parseRetryAfter(undefined, now), undefined);
  assert.deepEqual([renderRetryAfter(1), renderRetryAfter(1_001)], ['1', '2']);
});

test('a key at its limit rests for as long as the upstream says, and the other key takes over', async () => {
  await using router = await bootRouter(['a'], ([a]) => ({
    upstreams: [{ name: 'a', baseUrl: a?.url, apiKeys: ['one', 'two'], models: ['m'] }],
  }));
  const [upstream] = router.upstreams;
  upstream?.next({ kind: 'status', status: 429, headers: { 'retry-after': '60' } });
  for (let call = 0; call < 3; call += 1) {
    assert.equal((await router.post('/v1/chat/completions', chat('a/m'))).status, 200);
  }
  assert.deepEqual(
    upstream?.requests.map(({ headers }) => headers.authorization),
    ['Bearer one', 'Bearer two', 'Bearer two', 'Bearer two'],
  );
  assert.equal((await router.usage(3)).total.calls, 3);
});

test('with every key at its limit the client hears when to come back, and the upstream is left in peace', async () => {
  await using router = await bootRouter();
  router.upstreams[0]?.always({ kind: 'status', status: 429, headers: { 'retry-after': '60' } });
  const first = await router.post('/v1/chat/completions', chat('a/m'));
  assert.deepEqual([first.status, first.headers.get('retry-after')], [429, '60']);
  const second = await router.post('/v1/chat/completions', chat('a/m'));
  assert.equal(second.status, 429, 'also when the upstream is not asked');
  assert.ok(Number(second.headers.get('retry-after')) > 50);
  assert.equal(router.upstreams[0]?.requests.length, 1);
});

test('an upstream whose key is not set says so, and is not asked', async () => {
  await using router = await bootRouter(['a'], ([a]) => ({
    upstreams: [{ name: 'a', baseUrl: a?.url, apiKey: '' }],
  }));
  const answer = await router.post('/v1/chat/completions', chat('a/m'));
  assert.equal(answer.status, 503);
  assert.match(await answer.text(), /no_api_key/);
});
