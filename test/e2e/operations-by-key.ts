/**
 * Every operation by every kind of key, made by asking: what opens is what the OpenAPI document says, and what needs
 * no credential is on a list that somebody wrote. The table is left in coverage/.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { TestServer } from 'plugboard/testing';
import { bootConfig } from '../support/boot-config.js';
import { root } from '../support/fixtures.js';
import type { StoreConfig } from '../support/stores.js';

interface Operation {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  readonly path: string;
  /** For each way in by an API key, the scopes of which one is needed. */
  readonly byKey: readonly (readonly string[])[];
  /** Also opens without a credential. */
  readonly optional: boolean;
  readonly guarded: boolean;
}

type Security = readonly Readonly<Record<string, readonly string[]>>[];

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

/** What belongs to the key that made it, and the scope that makes it. */
const OWNED = [
  { scope: 'memory', list: '/api/memory', payload: { key: 'tea', content: 'green' } },
  {
    scope: 'presets',
    list: '/api/playground/presets',
    payload: { name: 'short', endpoint: 'chat.completions', model: 'a/m' },
  },
] as const;

/** Registers the tests; `table` is the name of the file that the table is left in. */
export function operationsByKey(table: string, storage: () => Promise<StoreConfig | undefined>): void {
  let server: TestServer;
  let operations: Operation[];
  before(async () => {
    server = await bootConfig(join(root, 'config/default.yaml'), await storage());
    operations = await operationsOf(server);
  });
  after(() => server.stop());

  test('every operation opens to the keys that the document names, and to no others', async () => {
    const keys = await keysOfAllKinds(server, operations);
    const kinds = Object.keys(keys);
    assert.ok(
      operations.length > 100 && kinds.length > 15,
      `${operations.length} operations by ${kinds.join(' ')}`,
    );

    const surprises: string[] = [];
    const lines = [`| operation | ${kinds.join(' | ')} |`, `| --- |${kinds.map(() => ' --- |').join('')}`];
    let address = 0;
    for (const operation of operations) {
      const opened: string[] = [];
      for (const [kind, key] of Object.entries(keys)) {
        // Each call from an address of its own: limits of callers without a key are per address.
        address += 1;
        const { statusCode } = await ask(
          server,
          operation,
          operation.path.replaceAll(/\{[^}]{0,50}\}/g, '1'),
          key,
          address,
        );
        if (statusCode !== 401 && statusCode !== 403) opened.push(kind);
      }
      const expected = kinds.filter((kind) => isOpenTo(operation, kind));
      if (opened.join() !== expected.join())
        surprises.push(
          `${operation.name}: opened to ${opened.join(', ')}; the document says ${expected.join(', ')}`,
        );
      if (opened.includes('none') !== OPEN.has(operation.name))
        surprises.push(
          `${operation.name}: ${opened.includes('none') ? 'needs no credential' : 'is no longer open'}`,
        );
      lines.push(
        `| ${operation.name} |${kinds.map((kind) => (opened.includes(kind) ? ' yes |' : ' |')).join('')}`,
      );
    }
    mkdirSync(join(root, 'coverage'), { recursive: true });
    writeFileSync(join(root, 'coverage', table), `${lines.join('\n')}\n`);
    assert.deepEqual(surprises, []);
  });

  for (const { scope, list, payload } of OWNED)
    test(`what a key keeps under ${list} does not exist for another key with the same scope`, async () => {
      const [owner, other] = [await server.key(scope), await server.key(scope)];
      const headers = { authorization: `Bearer ${owner}` };
      const made = await server.inject({ method: 'POST', url: list, headers, payload });
      assert.equal(made.statusCode, 201, made.body);
      const own = `${list}/${made.json<{ id: string }>().id}`;
      const before = (await server.inject({ url: own, headers })).body;

      const reaching = operations.filter(({ path }) => path.startsWith(`${list}/{id}`));
      assert.ok(reaching.length >= 3, `${reaching.length} operations`);
      for (const operation of reaching) {
        const url = operation.path.replace(`${list}/{id}`, own);
        const body = ['PUT', 'PATCH'].includes(operation.method) ? payload : undefined;
        const answer = await ask(server, operation, url, other, 1, body);
        assert.equal(answer.statusCode, 404, `${operation.name}: ${answer.body}`);
      }
      const seen = await server.inject({ url: list, headers: { authorization: `Bearer ${other}` } });
      assert.equal(seen.statusCode, 200);
      assert.ok(!seen.body.includes(made.json<{ id: string }>().id), seen.body);
      assert.equal((await server.inject({ url: own, headers })).body, before);
    });
}

/** By kind; `none` sends no key, and a scope stands for a key that has it alone. */
async function keysOfAllKinds(
  server: TestServer,
  operations: readonly Operation[],
): Promise<Record<string, string | undefined>> {
  const revoked = await server.command(['keys', 'create', 'revoked', '--scope', '*', '--json']);
  const { id, key } = JSON.parse(revoked.stdout) as { id: string; key: string };
  const bare = JSON.parse((await server.command(['keys', 'create', 'bare', '--json'])).stdout) as {
    key: string;
  };
  const all = await server.key('*');
  const revocation = await server.inject({
    method: 'DELETE',
    url: `/api/keys/${id}`,
    headers: { authorization: `Bearer ${all}` },
  });
  assert.ok(revocation.statusCode < 300, revocation.body);
  const scopes = [...new Set(operations.flatMap(({ byKey }) => byKey.flat()))].toSorted();
  const single = await Promise.all(scopes.map(async (scope) => [scope, await server.key(scope)] as const));
  return { none: undefined, revoked: key, unscoped: bare.key, '*': all, ...Object.fromEntries(single) };
}

function isOpenTo({ guarded, optional, byKey }: Operation, kind: string): boolean {
  if (!guarded) return true;
  if (kind === 'none') return optional;
  if (kind === 'revoked') return false;
  return byKey.some((scopes) => scopes.length === 0 || kind === '*' || scopes.includes(kind));
}

function ask(
  server: TestServer,
  { method }: Operation,
  url: string,
  key: string | undefined,
  address: number,
  payload?: object,
) {
  return server.inject({
    method,
    url,
    remoteAddress: `10.0.${address >> 8}.${address & 255}`,
    ...(key !== undefined && { headers: { authorization: `Bearer ${key}` } }),
    ...(payload !== undefined && { payload }),
  });
}

async function operationsOf(from: TestServer): Promise<Operation[]> {
  const { paths } = (await from.inject('/-/openapi.json')).json<{
    paths: Record<string, Record<string, { readonly security?: Security }>>;
  }>();
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security = [] }]): Operation => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase() as Operation['method'],
      path,
      byKey: security.flatMap(({ apiKey }) => (apiKey === undefined ? [] : [apiKey])),
      optional: security.some((each) => Object.keys(each).length === 0),
      guarded: security.length > 0,
    })),
  );
}
