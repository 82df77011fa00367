/** The document of the console, its policy, and the addresses that lead to it. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { definePlugin, Type } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';
import { readBuilt } from '../../../plugins/console/built.js';
import { sendBuilt } from '../../../plugins/console/files.js';
import { bootConsole, BROWSER } from './support.js';

test('the document lets nothing run but the files of this server and its own import map', async () => {
  await using server = await bootConsole();
  const first = await server.inject('/console');
  const second = await server.inject('/console/auth/keys?search=x');
  assert.equal(first.statusCode, 200);
  assert.equal(first.headers['cache-control'], 'no-store');
  assert.equal(first.headers['x-frame-options'], 'DENY');
  const policy = String(first.headers['content-security-policy']);
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  const map = /<script type="importmap">(.*?)<\/script>/.exec(first.body)?.[1] ?? '';
  assert.ok('plugboard/console' in (JSON.parse(map) as { imports: object }).imports);
  assert.ok(policy.includes(`'sha256-${createHash('sha256').update(map).digest('base64')}'`));
  const nonceOf = (body: string): string => /nonce="([^"]+)"/.exec(body)?.[1] ?? '';
  assert.ok(policy.includes(`'nonce-${nonceOf(first.body)}'`));
  assert.notEqual(nonceOf(first.body), nonceOf(second.body));
});

test('all that the document names is there, kept for a year, and compressed for those who take it', async () => {
  await using server = await bootConsole();
  const { body } = await server.inject('/console');
  const named = [...body.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)].map(([, path]) => path!);
  assert.ok(named.length > 5);
  for (const path of named) {
    const plain = await server.inject(`/console/${path}`);
    assert.equal(plain.statusCode, 200, path);
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(plain.headers['vary'], 'accept-encoding');
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip, br;q=0', 'gzip'],
      ['zstd', undefined],
    ] as const) {
      const answer = await server.inject({
        url: `/console/${path}`,
        headers: { 'accept-encoding': accepted },
      });
      assert.equal(answer.headers['content-encoding'], encoding, `${path} for ${accepted}`);
    }
  }
});

test('the first view is at most 250 kB', async () => {
  await using server = await bootConsole();
  const { body } = await server.inject('/console');
  const named = [...body.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)].map(([, path]) => path!);
  let bytes = Buffer.byteLength(body);
  for (const path of named) {
    const answer = await server.inject({ url: `/console/${path}`, headers: { 'accept-encoding': 'gzip' } });
    bytes += answer.rawPayload.length;
  }
  assert.ok(bytes < 250_000, `${bytes} bytes`);
});

test('a file that a newer build took away is not found, and nothing keeps that for a year', async () => {
  const path = 'assets/gone-00000000.js';
  const built = { ...readBuilt(), files: { [path]: { type: 'text/javascript' } } };
  const older = definePlugin({
    name: 'older',
    api: 1,
    config: Type.Object({}, { additionalProperties: false }),
    setup: () => ({
      routes: (app) => {
        app.get('/older', { config: { hidden: true } }, async (request, reply) =>
          (await sendBuilt(built, path, request, reply)) ? reply : reply.callNotFound(),
        );
      },
    }),
  });
  await using server = await bootTest({ plugins: [{ plugin: older }] });
  const answer = await server.inject('/older');
  assert.equal(answer.statusCode, 404);
  assert.doesNotMatch(String(answer.headers['cache-control']), /immutable/);
});

test('a file that the build did not make is not found, whatever its path', async () => {
  await using server = await bootConsole();
  for (const path of ['none.js', '..%2fbuilt.json', '%2e%2e%2fbuilt.json', '__proto__', 'constructor', ''])
    assert.equal((await server.inject(`/console/assets/${path}`)).statusCode, 404, path);
});

test('a browser is sent from / to the console, from /keys to the page of keys, and sees a page elsewhere', async () => {
  await using server = await bootConsole();
  const visit = (url: string, accept: string) => server.inject({ url, headers: { accept } });
  const home = await visit('/?from=bookmark', BROWSER);
  assert.deepEqual([home.statusCode, home.headers.location, home.headers.vary], [302, '/console', 'accept']);
  const keys = await visit('/keys', BROWSER);
  assert.deepEqual([keys.statusCode, keys.headers.location], [302, '/console/auth/keys']);
  const unknown = await visit('/elsewhere', BROWSER);
  assert.deepEqual([unknown.statusCode, unknown.headers.vary], [404, 'accept']);
  assert.match(unknown.body, /<!doctype html>/);
  assert.match(String(unknown.headers['content-security-policy']), /frame-ancestors 'none'/);
  for (const [method, url, accept] of [
    ['GET', '/elsewhere', 'application/json'],
    ['GET', '/', '*/*'],
    ['POST', '/elsewhere', BROWSER],
  ] as const) {
    const answer = await server.inject({ method, url, headers: { accept } });
    assert.equal(answer.statusCode, 404, `${method} ${url}`);
    assert.match(String(answer.headers['content-type']), /^application\/json/);
  }
});

test('below the prefix of a proxy that is believed every address has it, and of another none', async () => {
  const headers = {
    'x-forwarded-prefix': '/tools/plugboard',
    'x-forwarded-for': '192.0.2.1',
    accept: BROWSER,
  };
  await using trusting = await bootConsole({ server: { trustProxy: true } });
  const { body } = await trusting.inject({ url: '/console', headers });
  assert.match(body, /<base href="\/tools\/plugboard\/console\/">/);
  assert.match(body, /data-root="\/tools\/plugboard"/);
  const keys = await trusting.inject({ url: '/keys', headers });
  assert.equal(keys.headers.location, '/tools/plugboard/console/auth/keys');
  const hostile = { ...headers, 'x-forwarded-prefix': '/"><script>alert(1)</script>' };
  assert.match(
    (await trusting.inject({ url: '/console', headers: hostile })).body,
    /<base href="\/console\/">/,
  );
  await using alone = await bootConsole();
  assert.match((await alone.inject({ url: '/console', headers })).body, /<base href="\/console\/">/);
});
