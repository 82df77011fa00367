/** How an upstream comes and goes: its circuit, its keys, and what the operator hears of it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { LogLines } from 'plugboard/testing';
import { createAuthority } from '../../support/peers/certificates.js';
import { bootRouter, chat, type RouterServer } from './support/boot.js';

test('an upstream whose streams all break off gets no more calls, though each of them began', async () => {
  await using router = await bootRouter(['a'], { breaker: { failures: 3 } });
  const [upstream] = router.upstreams;
  upstream?.always({ kind: 'break', where: 'mid stream' });
  for (let call = 0; call < 3; call += 1) assert.equal(await stream(router), 200);
  assert.equal(await stream(router), 503);
  assert.equal(upstream?.requests.length, 3);
});

test('the log says once that an upstream has gone, and once that it is back; never a key', async () => {
  const log = new LogLines();
  let now = Date.now();
  await using router = await bootRouter(
    ['a'],
    { breaker: { failures: 2 } },
    { log, clock: { now: () => now } },
  );
  const [upstream] = router.upstreams;
  upstream?.always({ kind: 'status', status: 500 });
  for (let call = 0; call < 5; call += 1) await post(router);
  upstream?.always({ kind: 'ok' });
  now += 30_000;
  for (let call = 0; call < 5; call += 1) assert.equal(await post(router), 200);
  const lines = entries(log).filter(({ upstream: name }) => name === 'a');
  assert.deepEqual(
    lines.map(({ level, msg, failures, last }) => ({ level, msg, failures, last })),
    [
      {
        level: 40,
        msg: 'a model failed too often: it gets no calls for a while',
        failures: 2,
        last: 'http_500',
      },
      { level: 30, msg: 'an upstream answers again', failures: undefined, last: undefined },
    ],
  );
  assert.doesNotMatch(log.lines.join('\n'), /secret-of/);
});

test('a key that is not accepted is named in the log by its place', async () => {
  const log = new LogLines();
  await using router = await bootRouter(
    ['a'],
    ([a]) => ({
      upstreams: [{ name: 'a', baseUrl: a?.url, apiKeys: ['secret-one', 'secret-two'], models: ['m'] }],
    }),
    { log },
  );
  router.upstreams[0]?.next({ kind: 'status', status: 401 });
  assert.equal(await post(router), 200);
  const [line] = entries(log).filter(({ upstream }) => upstream === 'a');
  assert.deepEqual([line?.level, line?.['key'], line?.['reason']], [40, 1, 'http_401']);
  assert.doesNotMatch(log.lines.join('\n'), /secret-one|secret-two/);
});

test('the metrics count failed attempts, also hidden ones, and show the open circuit', async () => {
  await using router = await bootRouter(['a', 'b'], {
    breaker: { failures: 1 },
    routes: { r: { targets: ['a/m', 'b/m'] } },
  });
  router.upstreams[0]?.always({ kind: 'status', status: 500 });
  for (const stream of [false, true]) {
    const answer = await router.post('/v1/chat/completions', chat('r', { stream }));
    await answer.text();
  }
  await router.usage(2);
  const metrics = await (await router.get('/-/metrics')).text();
  for (const line of [
    'router_upstream_failures_total{plugin="router",upstream="a",code="http_500"} 1',
    'router_circuit_open{plugin="router",upstream="a"} 1',
    'router_circuit_open{plugin="router",upstream="b"} 0',
    'router_call_seconds_count{plugin="router",route="r",upstream="b",code="ok"} 2',
    'router_first_token_seconds_count{plugin="router",route="r",upstream="b"} 1',
    'router_tokens_total{plugin="router",route="r",upstream="b",kind="in"} 14',
    'router_tokens_total{plugin="router",route="r",upstream="b",kind="out"} 4',
  ]) {
    assert.ok(metrics.split('\n').includes(line), `${line}\n${metrics.replaceAll(/^(?!router).*\n/gm, '')}`);
  }
});

test('an upstream that comes back with a refusal is back, too', async () => {
  let now = Date.now();
  const clock = { now: () => now };
  await using router = await bootRouter(['a'], { breaker: { failures: 1 } }, { clock });
  router.upstreams[0]?.next({ kind: 'status', status: 500 }, { kind: 'status', status: 400 });
  assert.equal(await post(router), 502);
  now += 30_000;
  assert.equal(await post(router), 400);
  const metrics = await (await router.get('/-/metrics')).text();
  assert.match(metrics, /router_circuit_open\{plugin="router",upstream="a"\} 0/);
});

test('headers of the config go with each call', async () => {
  await using router = await bootRouter(['a'], ([a]) => ({
    upstreams: [{ name: 'a', baseUrl: a?.url, headers: { 'OpenAI-Organization': 'org', 'api-key': 'k' } }],
  }));
  await post(router);
  const { headers } = router.upstreams[0]?.requests[0] ?? assert.fail();
  assert.deepEqual(
    [headers['openai-organization'], headers['api-key'], headers.authorization],
    ['org', 'k', undefined],
  );
});

test('a text that an upstream does not serve (403) takes its key from nobody else', async () => {
  await using router = await bootRouter();
  router.upstreams[0]?.next({ kind: 'status', status: 403 });
  assert.deepEqual([await post(router), await post(router)], [502, 200]);
});

test('retry-after-ms is read before retry-after', async () => {
  await using router = await bootRouter();
  const headers = { 'retry-after-ms': '2500', 'retry-after': '60' };
  router.upstreams[0]?.always({ kind: 'status', status: 429, headers });
  const answer = await router.post('/v1/chat/completions', chat('a/m'));
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [429, '3']);
});

test('a certificate that nobody vouches for is named as the reason, in the answer and in the log', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-tls-'));
  const pem = readFileSync(createAuthority(folder, 'own').issue('upstream'));
  const server = createServer({ key: pem, cert: pem }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const log = new LogLines();
  const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const config = { upstreams: [{ name: 'tls', baseUrl }], breaker: { failures: 1 } };
  await using router = await bootRouter([], config, { log });
  const answer = await router.post('/v1/chat/completions', chat('tls/m'));
  assert.match(await answer.text(), /tls\/m \(certificate_refused\)/);
  const [line] = entries(log).filter(({ upstream, last }) => upstream === 'tls' && last !== undefined);
  assert.match(String(line?.['reason']), /certificate/);
  server.close();
  await rm(folder, { recursive: true });
});

function entries(log: LogLines): { level: number; msg: string; [member: string]: unknown }[] {
  return log.lines
    .map((line) => JSON.parse(line) as { level: number; msg: string })
    .filter(({ level }) => level >= 30);
}

async function post(router: RouterServer): Promise<number> {
  return (await router.post('/v1/chat/completions', chat('a/m'))).status;
}

/** Reads a stream to its end. */
async function stream(router: RouterServer): Promise<number> {
  const answer = await router.post('/v1/chat/completions', chat('a/m', { stream: true }));
  await answer.text();
  return answer.status;
}
