import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { limitedServer, show, type LimitedServer } from './support.js';

let server: LimitedServer;
before(async () => {
  server = await limitedServer({});
});
after(() => server.stop());

test('the status names the five categories, mirrors core in rate, and counts nothing', async () => {
  const at = server.clock.time / 1000;
  const fresh = (limit: number, seconds: number) => ({
    limit,
    remaining: limit,
    reset: at + seconds,
    used: 0,
  });
  for (let time = 0; time < 2; time += 1) {
    const { status, body, remaining, resource } = await show(server, '/rate_limit');
    assert.deepEqual([status, remaining, resource], [200, 60, 'core']);
    assert.deepEqual(body, {
      resources: {
        core: fresh(60, 3600),
        search: fresh(10, 60),
        graphql: fresh(0, 3600),
        integration_manifest: fresh(5000, 3600),
        code_scanning_upload: fresh(500, 3600),
      },
      rate: fresh(60, 3600),
    });
  }
});

test('the status shows what was used, and a key its own limits', async () => {
  const headers = { authorization: `Bearer ${server.apiKey}` };
  await show(server, '/github', headers);
  server.clock.time += 10_000;
  await show(server, '/github', headers);
  const { body } = await show(server, '/rate_limit', headers);
  const { resources } = body as { resources: { core: object; graphql: { limit: number } } };
  const reset = server.clock.time / 1000 - 10 + 3600;
  assert.deepEqual(resources.core, { limit: 5000, remaining: 4998, reset, used: 2 });
  assert.equal(resources.graphql.limit, 5000);
});

test('an unchanged status is a 304 without a body or a content type, also when time has passed', async () => {
  const get = (tag?: string) =>
    server.inject({
      url: '/rate_limit',
      headers: tag === undefined ? {} : { 'if-none-match': tag },
      remoteAddress: '10.9.9.9',
    });
  const { etag } = (await get()).headers;
  server.clock.time += 5000;
  const same = await get(`"other", ${String(etag)}`);
  assert.equal(same.statusCode, 304);
  assert.equal(same.body, '');
  assert.equal(same.headers['content-type'], undefined);
  assert.equal(same.headers['x-ratelimit-remaining'], '60');
  await show(server, '/github', {}, '10.9.9.9');
  assert.equal((await get(String(etag))).statusCode, 200);
});

test('a wrong credential is refused and not taken for none', async () => {
  const { status, body } = await show(server, '/rate_limit', { authorization: 'token 0123' });
  assert.equal(status, 401);
  assert.equal((body as { message: string }).message, 'Bad credentials');
});

test('while the limits are off the status is a 404 and nothing is counted', async () => {
  const off = await limitedServer({ active: false, categories: { core: { address: 0 } } });
  const { status, body } = await show(off, '/rate_limit');
  assert.equal(status, 404);
  assert.equal((body as { message: string }).message, 'Rate limiting is not enabled.');
  assert.equal((await show(off, '/github')).status, 200);
  await off.stop();
});
