/** `@octokit/rest` 22 and `@octokit/plugin-throttling`, unmodified over a socket. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { throttling } from '@octokit/plugin-throttling';
import { Octokit } from '@octokit/rest';
import { limitedServer } from '../plugins/ratelimit/support.js';

test('rateLimit.get reads the status, and an unchanged one is a 304', async () => {
  const server = await limitedServer({});
  const octokit = new Octokit({ baseUrl: await server.listen() });
  await octokit.request('GET /github');
  const { data, headers } = await octokit.rest.rateLimit.get();
  assert.deepEqual([data.resources.core.used, data.rate.remaining, data.resources.search.limit], [1, 59, 10]);
  assert.equal(headers['x-ratelimit-remaining'], '59');
  const tag = headers.etag ?? '';
  await assert.rejects(octokit.rest.rateLimit.get({ headers: { 'if-none-match': tag } }), { status: 304 });
  await octokit.request('GET /github');
  const changed = await octokit.rest.rateLimit.get({ headers: { 'if-none-match': tag } });
  assert.equal(changed.data.resources.core.used, 2);
  await server.stop();
});

test('the throttling plugin waits for the end of a window, and for the end of a secondary limit', async () => {
  const server = await limitedServer({
    categories: { core: { window: 60, address: 2 } },
    secondary: { points: 8 },
  });
  server.clock.time = Date.now();
  const seen: { kind: string; retryAfter: number }[] = [];
  const Throttled = Octokit.plugin(throttling);
  const note = (kind: string, until: number) => (retryAfter: number) => {
    seen.push({ kind, retryAfter });
    server.clock.time += until;
    return true;
  };
  const octokit = new Throttled({
    baseUrl: await server.listen(),
    throttle: {
      // Waits are milliseconds in place of seconds.
      retryAfterBaseValue: 1,
      fallbackSecondaryRateRetryAfter: 1,
      onRateLimit: note('primary', 61_000),
      onSecondaryRateLimit: note('secondary', 61_000),
    },
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  });
  for (let at = 0; at < 3; at += 1) assert.equal((await octokit.request('GET /github')).status, 200);
  assert.deepEqual(
    seen.map(({ kind }) => kind),
    ['primary'],
  );
  assert.ok((seen[0]?.retryAfter ?? 0) > 50, 'the seconds until the window ends');

  server.clock.time += 61_000;
  seen.length = 0;
  for (let at = 0; at < 2; at += 1) assert.equal((await octokit.request('POST /github')).status, 200);
  assert.deepEqual(seen, [{ kind: 'secondary', retryAfter: 60 }]);
  await server.stop();
});
