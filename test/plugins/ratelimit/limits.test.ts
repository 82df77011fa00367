import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eachStore } from '../../support/stores.js';
import { limitedServer, show, type LimitedServer } from './support.js';

const basic = (name: string, secret: string): string =>
  `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;

eachStore('limits', (store) => {
  let server: LimitedServer;
  let key: string;
  before(async () => {
    server = await limitedServer(
      {
        categories: { core: { user: 3, app: 2, key: 4, address: 2 } },
        keys: { special: { core: { requests: 1 } } },
      },
      await store.fresh(),
    );
    key = server.apiKey;
  });
  after(() => server.stop());

  test('each request of an address counts, and the one beyond the limit is refused with the recorded text', async () => {
    const reset = server.clock.time / 1000 + 3600;
    const shown = [];
    for (let at = 0; at < 3; at += 1) shown.push(await show(server, '/github', {}, '10.0.0.1'));
    const [first, second, third] = shown;
    const common = { limit: 2, reset, resource: 'core' };
    assert.deepEqual(first, { ...common, status: 200, remaining: 1, used: 1, body: { ok: true } });
    assert.deepEqual(second, { ...common, status: 200, remaining: 0, used: 2, body: { ok: true } });
    assert.deepEqual(third, {
      ...common,
      status: 403,
      remaining: 0,
      used: 2,
      body: {
        message:
          "API rate limit exceeded for 10.0.0.1. (But here's the good news: Authenticated requests get a higher rate limit. Check out the documentation for more details.)",
        documentation_url: 'https://developer.github.com/v3/#rate-limiting',
      },
    });
  });

  test('addresses, keys, users and applications are counted apart, each against its own limit', async () => {
    await server.command(['users', 'create', 'ann', '--password-stdin'], 'correct horse\n');
    const { stdout } = await server.command([
      'apps',
      'create',
      'Bot',
      '--url',
      'https://bot.example',
      '--json',
    ]);
    const { clientId, clientSecret } = JSON.parse(stdout) as { clientId: string; clientSecret: string };
    const callers = {
      2: {},
      4: { authorization: `Bearer ${key}` },
      3: { authorization: basic('ann', 'correct horse') },
      1: { authorization: `Bearer ${await namedKey('special')}` },
    };
    for (const [limit, headers] of Object.entries(callers)) {
      const { status, limit: shown, used } = await show(server, '/github', headers, '10.0.0.2');
      assert.deepEqual({ status, shown, used }, { status: 200, shown: Number(limit), used: 1 });
    }
    const app = await show(server, '/github', { authorization: basic(clientId, clientSecret) }, '10.0.0.2');
    assert.deepEqual([app.limit, app.used], [2, 1]);
  });

  test('the addresses of one IPv6 network count together', async () => {
    await show(server, '/github', {}, '2001:db8::1');
    assert.equal((await show(server, '/github', {}, '2001:db8::2')).used, 2);
    assert.equal((await show(server, '/github', {}, '2001:db8:0:1::2')).used, 1);
  });

  test('a window begins with its first request and ends after its length', async () => {
    await show(server, '/github', {}, '10.0.0.3');
    server.clock.time += 3_599_000;
    assert.equal((await show(server, '/github', {}, '10.0.0.3')).used, 2);
    assert.equal((await show(server, '/github', {}, '10.0.0.3')).status, 403);
    server.clock.time += 1000;
    const begun = await show(server, '/github', {}, '10.0.0.3');
    assert.deepEqual([begun.status, begun.used, begun.reset], [200, 1, server.clock.time / 1000 + 3600]);
  });

  test('a refund is shown in the headers of the answer and counts once', async () => {
    assert.equal((await show(server, '/github?refund', {}, '10.0.0.4')).used, 0);
    assert.equal((await show(server, '/github', {}, '10.0.0.4')).used, 1);
  });

  test('answers of unknown credentials and of errors carry the headers of the address', async () => {
    const refused = await show(server, '/github', { authorization: 'Bearer pb_wrong' }, '10.0.0.5');
    assert.deepEqual([refused.status, refused.used, refused.remaining], [401, 1, 1]);
  });

  test('a category without a limit for the caller shows no headers', async () => {
    const { status, limit } = await show(server, '/svc', { authorization: `Bearer ${key}` });
    assert.deepEqual([status, limit], [200, NaN]);
  });

  async function namedKey(name: string): Promise<string> {
    const { stdout } = await server.command(['keys', 'create', name, '--json', '--scope', '*']);
    return (JSON.parse(stdout) as { key: string }).key;
  }
});

test('a category that does not exist is refused with the names of those that do', async () => {
  const server = await limitedServer({});
  const { RATE_LIMIT } = await import('plugboard/sdk');
  assert.throws(
    () => server.service(RATE_LIMIT).category('chta'),
    /unknown rate limit category "chta"; there are core,/,
  );
  await server.stop();
});
