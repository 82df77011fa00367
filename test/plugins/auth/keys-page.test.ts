import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootTest } from 'plugboard/testing';
import { ADMIN_PASSWORD, beginSession, bearer, guarded, outcome } from './support.js';

const plugins = [{ plugin: guarded({ reader: { accepts: 'bearer', scope: 'x' } }) }];
const auth = { adminPassword: ADMIN_PASSWORD };
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test('the page and all that it loads come with a policy that lets nothing else in', async () => {
  await using server = await bootTest({ plugins, auth });
  const page = await server.inject('/keys');
  const loaded = [...page.body.matchAll(/(?:src|href)="(keys\/[^"]+)"/g)].map(([, path]) => `/${path}`);
  assert.deepEqual(loaded.toSorted(), ['/keys/keys.css', '/keys/main.js']);
  const main = await server.inject('/keys/main.js');
  const imported = [...main.body.matchAll(/from '\.\/([^']+)'/g)].map(([, name]) => `/keys/${name}`);
  assert.ok(imported.length > 5);
  const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', keys: 'text/html' };
  for (const url of ['/keys', ...loaded, ...imported]) {
    const answer = await server.inject(url);
    assert.equal(answer.statusCode, 200, url);
    const type = types[url.split(/[./]/).at(-1) ?? ''];
    assert.equal(answer.headers['content-type'], `${type}; charset=utf-8`, url);
    assert.equal(
      answer.headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    assert.equal(answer.headers['x-content-type-options'], 'nosniff');
    assert.equal(answer.headers['x-frame-options'], 'DENY');
    assert.equal(answer.headers['referrer-policy'], 'no-referrer');
    assert.equal(answer.headers['cache-control'], 'no-store');
  }
});

test('the page has no script and no style of its own, which the policy would refuse', async () => {
  await using server = await bootTest({ auth });
  const { body } = await server.inject('/keys');
  assert.doesNotMatch(body, /<style|style=|\son\w+=|<script(?![^>]*\ssrc=)/i);
});

test('a browser that asks for / is sent to the page, and everything else gets JSON', async () => {
  await using server = await bootTest({ plugins, auth });
  const sent = await server.inject({ url: '/?from=bookmark', headers: { accept: BROWSER } });
  assert.deepEqual([sent.statusCode, sent.headers.location, sent.headers.vary], [302, '/keys', 'accept']);
  for (const [method, url, accept] of [
    ['GET', '/', 'application/json'],
    ['GET', '/', '*/*'],
    ['GET', '/', undefined],
    ['GET', '/elsewhere', BROWSER],
    ['GET', '//', BROWSER],
    ['POST', '/', BROWSER],
  ] as const) {
    const answer = await server.inject({ method, url, headers: accept === undefined ? {} : { accept } });
    assert.equal(answer.statusCode, 404, `${method} ${url} ${accept}`);
    assert.match(String(answer.headers['content-type']), /^application\/json/);
  }
});

test('the page stands in no OpenAPI document', async () => {
  await using server = await bootTest({ plugins, auth });
  const { paths } = (await server.inject('/-/openapi.json')).json<{ paths: object }>();
  assert.deepEqual(
    Object.keys(paths).filter((path) => path.startsWith('/keys')),
    [],
  );
  assert.ok('/api/scopes' in paths);
});

test('management lists the scopes that plugins declare, each with its sentence', async () => {
  await using server = await bootTest({ plugins, auth });
  const { cookie } = await beginSession(server);
  const answer = await server.inject({ url: '/api/scopes', headers: { cookie } });
  const { scopes } = answer.json<{ scopes: { name: string }[] }>();
  assert.deepEqual(
    scopes.map(({ name }) => name),
    ['data:read', 'data:write', 'manage', 'repo', 'x', 'y'],
  );
  assert.deepEqual(scopes[4], { name: 'x', summary: 'the scope x', plugin: 'guarded' });
  assert.equal(outcome(await server.inject('/api/scopes')), '401 missing_credentials');
  const weak = await server.inject({ url: '/api/scopes', headers: bearer(await server.key('x')) });
  assert.equal(outcome(weak), '403 insufficient_scope');
});
