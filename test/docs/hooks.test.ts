/** The examples of docs/hooks.md and docs/interceptors.md, run unchanged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootTest } from 'plugboard/testing';
import { eventually } from '../support/eventually.js';
import { bootRouter, chat } from '../plugins/router/support/boot.js';
import { examplesOf } from './examples-of-page.js';

const hooks = examplesOf('hooks');
const interceptors = examplesOf('interceptors');

test('the example of hooks counts the requests of each tenant of a running server', async () => {
  const { default: plugin } = await hooks();
  await using server = await bootTest({ plugins: [{ plugin }] });
  const url = await server.listen();
  const keyOf = async (owner: string): Promise<string> => {
    const words = ['keys', 'create', owner, '--json', '--scope', 'tenants:read', '--owner', owner];
    return (JSON.parse((await server.command(words)).stdout) as { key: string }).key;
  };
  const [web, shop] = [await keyOf('web'), await keyOf('shop')];
  const ask = async (key: string): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${url}/requests-by-tenant`, { headers: { 'x-api-key': key } });
    return (await answer.json()) as Record<string, unknown>;
  };
  for (const key of [web, web, shop, 'wrong']) await ask(key);
  let counted: Record<string, unknown> = {};
  await eventually(async () => {
    counted = await ask(shop);
    return counted['web'] !== undefined;
  }, 'the requests are counted');
  assert.deepEqual(counted['web'], { all: 2, failed: 0 });
  assert.deepEqual(Object.keys(counted).toSorted(), ['shop', 'web']);
});

test('the example of interceptors adds its rule to a chat of any dialect, and refuses a secret', async () => {
  const { default: plugin } = await interceptors();
  const rule = 'Be brief.';
  await using router = await bootRouter(['a'], {}, { plugins: [{ plugin, config: { rule } }] });
  const said = [{ role: 'user', content: 'hello' }];
  await router.post('/v1/chat/completions', chat('a/m'));
  await router.post('/v1/messages', { model: 'a/m', max_tokens: 9, messages: said });
  for (const { body } of router.upstreams[0]?.requests ?? [])
    assert.deepEqual((body['messages'] as unknown[])[0], { role: 'system', content: rule });
  assert.equal(router.upstreams[0]?.requests.length, 2);
  const messages = [{ role: 'user', content: 'use AKIAABCDEFGHIJKLMNOP' }];
  const refused = await router.post('/v1/chat/completions', { model: 'a/m', messages });
  const { error } = (await refused.json()) as { error: { code: string } };
  assert.deepEqual([refused.status, error.code], [400, 'secret_in_prompt']);
  assert.equal(router.upstreams[0]?.requests.length, 2);
});

test('the example of guards replaces a number in a stream, and ends an answer that it refuses', async () => {
  const { default: plugin } = await interceptors('Guards');
  await using router = await bootRouter(['a'], {}, { plugins: [{ plugin }] });
  const said = async (content: string): Promise<string> => {
    router.upstreams[0]?.always({ kind: 'ok', content });
    return (await router.post('/v1/chat/completions', chat('a/m', { stream: true }))).text();
  };
  const events = await said('call 010-1234-5678 for some tea, please');
  assert.match(events, /\[phone\]/);
  assert.doesNotMatch(events, /1234/);
  assert.match(await said('a cup of coffee'), /not_ours/);
});
