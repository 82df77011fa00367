/** Upstreams that are added, tested, given new keys and removed while the server runs. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { bootTest } from 'plugboard/testing';
import { localServer } from '../../../plugins/router/fleet/local.js';
import router from '../../../plugins/router/index.js';
import { eventually } from '../../support/eventually.js';
import { eachStore } from '../../support/stores.js';
import { TestUpstream } from '../../support/peers/upstream.js';
import { bootRouter, chat, type RouterServer } from './support/boot.js';

interface Shown {
  readonly name: string;
  readonly source: string;
  readonly keys: readonly object[];
  readonly models: readonly string[] | null;
}

function call(router: RouterServer, method: string, path: string, body?: object): Promise<Response> {
  return fetch(router.url + path, {
    method,
    headers: { authorization: `Bearer ${router.key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}

const listed = async (router: RouterServer): Promise<readonly Shown[]> =>
  ((await (await call(router, 'GET', '/api/upstreams')).json()) as { upstreams: Shown[] }).upstreams;

const saidKey = (upstream: TestUpstream): string | undefined =>
  upstream.requests.at(-1)?.headers.authorization;

test('an upstream is added, called, given another key and removed, besides those of the config', async () => {
  await using server = await bootRouter(['a']);
  await using added = await TestUpstream.start('added');
  const put = await call(server, 'PUT', '/api/upstreams/more', { baseUrl: added.url, apiKey: 'first-key' });
  assert.equal(put.status, 200);
  assert.equal((await server.post('/v1/chat/completions', chat('more/m'))).status, 200);
  assert.equal(saidKey(added), 'Bearer first-key');
  const { data } = (await (await server.get('/v1/models')).json()) as { data: { id: string }[] };
  assert.ok(data.some(({ id }) => id === 'more/discovered'));
  assert.deepEqual(
    (await listed(server)).map(({ name, source }) => [name, source]),
    [
      ['a', 'config'],
      ['more', 'api'],
    ],
  );

  await call(server, 'PUT', '/api/upstreams/more/keys', { apiKeys: ['second-key', 'third-key'] });
  await server.post('/v1/chat/completions', chat('more/m'));
  assert.equal(saidKey(added), 'Bearer second-key');
  assert.equal((await listed(server)).at(-1)?.keys.length, 2);

  assert.equal((await call(server, 'DELETE', '/api/upstreams/more')).status, 204);
  assert.equal((await server.post('/v1/chat/completions', chat('more/m'))).status, 404);
  assert.equal((await server.post('/v1/chat/completions', chat('a/m'))).status, 200);
});

test('a change keeps the keys, unless they would go to another address', async () => {
  await using server = await bootRouter(['a']);
  await using added = await TestUpstream.start('added');
  await using other = await TestUpstream.start('other');
  const settings = { baseUrl: added.url, apiKey: 'first-key', headers: { 'x-team': 'tea' } };
  await call(server, 'PUT', '/api/upstreams/more', settings);
  await call(server, 'PUT', '/api/upstreams/more', { baseUrl: added.url, models: ['m'] });
  await server.post('/v1/chat/completions', chat('more/m'));
  assert.deepEqual([saidKey(added), added.requests.at(-1)?.headers['x-team']], ['Bearer first-key', 'tea']);
  await call(server, 'PUT', '/api/upstreams/more', { baseUrl: other.url });
  await server.post('/v1/chat/completions', chat('more/m'));
  assert.deepEqual([saidKey(other), other.requests.at(-1)?.headers['x-team']], [undefined, undefined]);
});

test('a stream that runs goes on while its upstream is changed or removed', async () => {
  await using server = await bootRouter(['a']);
  await using added = await TestUpstream.start('added');
  await call(server, 'PUT', '/api/upstreams/more', { baseUrl: added.url, apiKey: 'k-1234' });
  added.next({ kind: 'paced', pieces: 6, every: 40 });
  const answer = await server.post('/v1/chat/completions', chat('more/m', { stream: true }));
  await call(server, 'PUT', '/api/upstreams/more/keys', { apiKeys: ['k-5678'] });
  await call(server, 'DELETE', '/api/upstreams/more');
  const text = await answer.text();
  assert.match(text, /"5 "/);
  assert.match(text, /\[DONE\]/);
});

test('keys are in no answer and in no document', async () => {
  await using server = await bootRouter(['a']);
  await using added = await TestUpstream.start('added');
  const secret = 'sk-very-secret-1234';
  const answers = [
    await call(server, 'PUT', '/api/upstreams/more', {
      baseUrl: added.url,
      apiKey: secret,
      headers: { 'x-own': `${secret}-header` },
    }),
    await call(server, 'GET', '/api/upstreams'),
    await call(server, 'PUT', '/api/upstreams/more/keys', { apiKeys: [`${secret}-new`] }),
  ];
  added.always({ kind: 'status', status: 400, body: { error: { message: `bad ${secret}-new` } } });
  answers.push(await call(server, 'POST', '/api/upstreams/more/try', { model: 'm' }));
  for (const answer of answers) assert.doesNotMatch(await answer.text(), new RegExp(secret));
});

test('what an upstream can is told by one question to it', async () => {
  await using server = await bootRouter(['a']);
  const ask = async (name: string): Promise<{ fault: string | null; answer: { streams: boolean } | null }> =>
    (await (await call(server, 'POST', `/api/upstreams/${name}/try`, { model: 'm' })).json()) as never;
  const { fault, answer } = await ask('a');
  assert.deepEqual([fault, answer?.streams], [null, true]);
  server.upstreams[0]!.always({ kind: 'status', status: 401 });
  assert.match((await ask('a')).fault ?? '', /does not accept our API key \(401\)/);
});

test('what cannot be an upstream is refused by name, and those of the config are not touched', async () => {
  await using server = await bootRouter(['a']);
  const url = 'http://127.0.0.1:1/v1';
  const cases: readonly (readonly [string, string, object | undefined, number, RegExp])[] = [
    ['PUT', '/api/upstreams/a', { baseUrl: url }, 409, /in the config/],
    ['DELETE', '/api/upstreams/a', undefined, 409, /in the config/],
    ['PUT', '/api/upstreams/a/keys', { apiKeys: ['x'] }, 409, /in the config/],
    ['DELETE', '/api/upstreams/nobody', undefined, 404, /there is no upstream/],
    ['PUT', '/api/upstreams/nobody/keys', { apiKeys: ['x'] }, 404, /there is no upstream/],
    ['POST', '/api/upstreams/nobody/try', { model: 'm' }, 404, /there is no upstream/],
    ['PUT', '/api/upstreams/more', {}, 400, /baseUrl/],
    ['PUT', '/api/upstreams/more', { baseUrl: 'file:///etc/passwd' }, 400, /baseUrl/],
    ['PUT', '/api/upstreams/more', { baseUrl: 'http://' }, 400, /baseUrl/],
    ['PUT', '/api/upstreams/more', { baseUrl: url, apiKey: 'two\nlines' }, 400, /apiKey/],
    ['PUT', '/api/upstreams/more', { baseUrl: url, apiKey: '${OPENAI_API_KEY}' }, 400, /of the config alone/],
    ['PUT', '/api/upstreams/more', { baseUrl: url, headers: { host: 'x' } }, 400, /not yours to set/],
    [
      'PUT',
      '/api/upstreams/more',
      { baseUrl: url, headers: { authorization: 'x' }, apiKey: 'y' },
      400,
      /not both/,
    ],
    ['PUT', '/api/upstreams/mo%2Fre', { baseUrl: url }, 400, /name/],
    ['PUT', '/api/upstreams/more', { baseUrl: url, nonsense: 1 }, 400, /nonsense/],
  ];
  for (const [method, path, body, status, message] of cases) {
    const answer = await call(server, method, path, body);
    const text = await answer.text();
    assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(body)}: ${text}`);
    assert.match(text, message);
  }
  assert.equal((await listed(server)).length, 1);
});

eachStore('upstreams that were added', (store) => {
  test('are there after a start, and on every instance of a deployment', async () => {
    await using upstream = await TestUpstream.start('a');
    const storage = await store.fresh();
    const boot = () => bootTest({ storage, plugins: [{ plugin: router, config: {} }] });
    const first = await boot();
    const key = await first.key();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const url = await first.listen();
    const send = (at: string, method: string, path: string, body: object) =>
      fetch(at + path, { method, headers, body: JSON.stringify(body) });
    await send(url, 'PUT', '/api/upstreams/more', { baseUrl: upstream.url, apiKey: 'first-key' });
    await first.stop();

    const second = await boot();
    const there = await second.listen();
    assert.equal((await send(there, 'POST', '/v1/chat/completions', chat('more/m'))).status, 200);
    assert.equal(saidKey(upstream), 'Bearer first-key');
    if (storage?.use === 'mongodb') {
      const third = await boot();
      const elsewhere = await third.listen();
      await send(elsewhere, 'PUT', '/api/upstreams/more/keys', { apiKeys: ['second-key'] });
      await eventually(async () => {
        await send(there, 'POST', '/v1/chat/completions', chat('more/m'));
        return saidKey(upstream) === 'Bearer second-key';
      }, 'the other instance has the new key');
      await third.stop();
    }
    await second.stop();
  });
});

test('an Ollama on this machine is found by itself, and nothing else is taken for one', async () => {
  let answer = JSON.stringify({ models: [{ name: 'qwen3:8b' }] });
  const ollama = createServer((_, response) => void response.end(answer));
  ollama.listen(0, '127.0.0.1');
  await once(ollama, 'listening');
  const address = `http://127.0.0.1:${(ollama.address() as AddressInfo).port}`;
  assert.deepEqual(await localServer(address), {
    name: 'ollama',
    baseUrl: `${address}/v1`,
    models: ['qwen3:8b'],
  });
  answer = '<html>another server</html>';
  assert.equal(await localServer(address), undefined);
  ollama.close();
  ollama.closeAllConnections();
  assert.equal(await localServer('http://127.0.0.1:1'), undefined);
});
