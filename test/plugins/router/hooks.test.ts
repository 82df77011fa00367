/** What a plugin that observes is told of a call of a model, and what goes along to its upstream. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definePlugin, Type, type Hooks, type Work, type WorkEnd } from 'plugboard/sdk';
import { eventually } from '../../support/eventually.js';
import { bootRouter, chat } from './support/boot.js';

const carried = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };

function observer(calls: [Work['call'], WorkEnd['call']][]) {
  const hooks: Hooks = {
    call: { begin: () => 'mine', end: (end, _own, work) => void calls.push([work, end]) },
    carries: () => carried,
  };
  return definePlugin({
    name: 'observer',
    api: 1,
    config: Type.Object({}, { additionalProperties: false }),
    observes: ['call'],
    setup: () => ({ hooks }),
  });
}

test('a call is told with its model, tokens and end, and its upstream gets what it carries', async () => {
  const calls: [Work['call'], WorkEnd['call']][] = [];
  await using router = await bootRouter(['a'], {}, { plugins: [{ plugin: observer(calls) }] });
  await router.post('/v1/chat/completions', chat('a/m'));
  await (await router.post('/v1/chat/completions', chat('a/m', { stream: true }))).text();
  await router.post('/v1/embeddings', { model: 'a/embedding-m', input: 'x' });
  await eventually(() => calls.length === 3, 'all calls have ended');
  const seen = calls.map(([{ purpose, model, stream }, { status, error, upstream, dialect }]) => [
    [purpose, model, stream],
    [status, error, upstream, dialect],
  ]);
  const well = [200, null, 'a', 'chat'];
  assert.deepEqual(seen, [
    [['chat.completions', 'a/m', false], well],
    [['chat.completions', 'a/m', true], well],
    [['embeddings', 'a/embedding-m', false], well],
  ]);
  const [[, whole], [, stream]] = calls as [(typeof calls)[0], (typeof calls)[0]];
  assert.ok(whole.tokensIn !== null && whole.tokensOut !== null && whole.firstToken === null);
  assert.ok(stream.firstToken !== null && stream.firstToken <= stream.duration);
  for (const { headers } of router.upstreams[0]?.requests ?? [])
    assert.equal(headers['traceparent'], carried.traceparent);
  assert.ok(!JSON.stringify(calls).includes('hello'));
});

test('a call that no upstream serves is told with the error of its answer', async () => {
  const calls: [Work['call'], WorkEnd['call']][] = [];
  await using router = await bootRouter(['a'], {}, { plugins: [{ plugin: observer(calls) }] });
  router.upstreams[0]!.always({ kind: 'status', status: 500 });
  const answer = await router.post('/v1/chat/completions', chat('a/m'));
  const { code } = ((await answer.json()) as { error: { code: string } }).error;
  const [, { status, error, upstream }] = calls[0]!;
  assert.deepEqual([status, error, upstream], [answer.status, code, null]);
});
