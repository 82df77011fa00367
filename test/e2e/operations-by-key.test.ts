/**
 * Every operation by every kind of caller, made by asking: what each is answered is what the OpenAPI document says, and
 * what needs no credential is on a list that somebody wrote. The table is left in coverage/operations.md.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { TestServer } from 'plugboard/testing';
import { bootConfig } from '../support/servers/boot-config.js';
import { root } from '../support/fixtures.js';
import { KeyHost, signingKey, type SigningKey } from '../support/peers/token-issuer.js';
import { authOf, bearer, callersOf, tokensOf } from './callers.js';
import { operationsOf, type Operation } from './operations.js';

/**
 * Answer whoever asks: a login, what a page must know before it, what others hold against their own credentials, and
 * public feeds.
 */
const OPEN: ReadonlySet<string> = new Set([
  'POST /api/auth/login',
  'POST /api/auth/logout',
  'GET /api/auth/status',
  'GET /api/auth/oidc/{name}/login',
  'GET /api/auth/oidc/{name}/callback',
  'GET /api/settings/require-login',
  'POST /login/oauth/access_token',
  'POST /login/device/code',
  'GET /rate_limit',
  'GET /events',
  'GET /repos/{owner}/{repo}/events',
  'GET /networks/{owner}/{repo}/events',
  'GET /repos/{owner}/{repo}/issues/events',
  'GET /repositories/{id}/events',
  'GET /repositories/{id}/issues/events',
  'GET /orgs/{org}/events',
  'GET /users/{username}/received_events',
  'GET /users/{username}/received_events/public',
  'GET /users/{username}/events',
  'GET /users/{username}/events/public',
]);

/** An id that nothing has: what an administrator deletes by it must not be one of the callers. */
const NOBODYS = '999999999';

/** What belongs to the caller that made it, and the scopes for it. */
const OWNED = [
  { scopes: ['memory'], list: '/api/memory', payload: { key: 'tea', content: 'green' } },
  {
    scopes: ['presets', 'run'],
    list: '/api/playground/presets',
    payload: { name: 'short', endpoint: 'chat.completions', model: 'a/m' },
  },
] as const;

/** Of operations below something owned, by the end of their path. */
const BODIES: Readonly<Record<string, object>> = {
  '/versions': { prompt: 'green', label: 'first' },
  '/examples': { examples: [{ variables: {} }] },
  '/run': {},
  '/labels/first': { version: 1 },
};

let server: TestServer;
let operations: Operation[];
let issuer: SigningKey;
let host: KeyHost;
let ahead = 0;
before(async () => {
  issuer = await signingKey('one');
  host = await KeyHost.listen([issuer]);
  server = await bootConfig(join(root, 'config/default.yaml'), {
    auth: authOf(host.url),
    clock: { now: () => Date.now() + ahead },
  });
  operations = await operationsOf(server);
});
after(async () => {
  host.stop();
  await server.stop();
});

test('every operation opens to the callers that the document names, and to no others', async () => {
  const callers = await callersOf(server, operations, issuer);
  ahead = 120_000;
  const kinds = Object.keys(callers);
  assert.ok(
    operations.length > 100 && kinds.length > 20,
    `${operations.length} operations by ${kinds.join(' ')}`,
  );

  const surprises: string[] = [];
  const lines = [`| operation | ${kinds.join(' | ')} |`, `| --- |${kinds.map(() => ' --- |').join('')}`];
  let address = 0;
  for (const operation of operations) {
    const outcomes: (string | number)[] = [];
    for (const [kind, { headers, expects }] of Object.entries(callers)) {
      // Each call from an address of its own: limits of callers without a key are per address.
      address += 1;
      const url = operation.path.replaceAll(/\{[^}]{0,50}\}/g, NOBODYS);
      const { statusCode, body } = await ask(server, operation, url, headers, address);
      const outcome = statusCode === 401 || statusCode === 403 ? statusCode : 'yes';
      outcomes.push(outcome);
      const expected = expects(operation);
      if (outcome !== expected)
        surprises.push(`${operation.name}, ${kind}: ${outcome} and not ${expected}: ${body.slice(0, 200)}`);
    }
    if ((outcomes[0] === 'yes') !== OPEN.has(operation.name))
      surprises.push(
        `${operation.name}: ${OPEN.has(operation.name) ? 'is no longer open' : 'needs no credential'}`,
      );
    lines.push(`| ${operation.name} | ${outcomes.join(' | ')} |`);
  }
  mkdirSync(join(root, 'coverage'), { recursive: true });
  writeFileSync(join(root, 'coverage/operations.md'), `${lines.join('\n')}\n`);
  assert.deepEqual(surprises, []);
});

for (const { scopes, list, payload } of OWNED) {
  const isNotThere = async (owner: string, other: string): Promise<void> => {
    const headers = bearer(owner);
    const made = await server.inject({ method: 'POST', url: list, headers, payload });
    assert.equal(made.statusCode, 201, made.body);
    const own = `${list}/${made.json<{ id: string }>().id}`;
    const before = (await server.inject({ url: own, headers })).body;

    const reaching = operations.filter(({ path }) => path.startsWith(`${list}/{id}`));
    assert.ok(reaching.length >= 3, `${reaching.length} operations`);
    for (const operation of reaching) {
      const url = operation.path.replace(`${list}/{id}`, own).replaceAll(/\{[^}]{0,50}\}/g, 'first');
      const body =
        BODIES[url.slice(own.length)] ?? (['PUT', 'PATCH'].includes(operation.method) ? payload : undefined);
      const answer = await ask(server, operation, url, bearer(other), 1, body);
      assert.equal(answer.statusCode, 404, `${operation.name}: ${answer.body}`);
    }
    const seen = await server.inject({ url: list, headers: bearer(other) });
    assert.equal(seen.statusCode, 200);
    assert.ok(!seen.body.includes(made.json<{ id: string }>().id), seen.body);
    assert.equal((await server.inject({ url: own, headers })).body, before);
  };

  test(`what a key keeps under ${list} does not exist for another key with the same scopes`, async () =>
    isNotThere(await server.key(...scopes), await server.key(...scopes)));

  test(`what a person keeps under ${list} does not exist for a person of another tenant`, async () => {
    const { ann, eve } = await tokensOf(issuer);
    await isNotThere(ann, eve);
  });
}

function ask(
  server: TestServer,
  { method }: Operation,
  url: string,
  headers: Readonly<Record<string, string>>,
  address: number,
  payload?: object,
) {
  return server.inject({
    method,
    url,
    remoteAddress: `10.0.${address >> 8}.${address & 255}`,
    headers: { ...headers },
    ...(payload !== undefined && { payload }),
  });
}
