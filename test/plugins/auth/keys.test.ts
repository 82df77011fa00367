import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootTest, type TestServer } from 'plugboard/testing';
import { ADMIN_PASSWORD, bearer, beginSession, guarded, HOUR, outcome, TestClock, visit } from './support.js';

interface Key {
  id: string;
  key: string;
  name: string;
  preview: string;
  scopes: string[];
  expiresAt: string | null;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

const plugins = [{ plugin: guarded({ bearer: { accepts: 'bearer', scope: 'x' } }) }];
const auth = { adminPassword: ADMIN_PASSWORD };

test('a key is shown when it is created and never again', async () => {
  await using server = await bootTest({ plugins, auth });
  const manage = bearer(await server.key());
  const created = await server.inject({
    method: 'POST',
    url: '/api/keys',
    headers: manage,
    payload: { name: 'laptop', scopes: ['data:read', 'data:read', 'data:write'] },
  });
  assert.equal(created.statusCode, 201);
  assert.equal(created.headers['cache-control'], 'no-store');
  const { key, ...shown } = created.json<Key>();
  assert.match(key, /^pb_[\w-]{43}$/);
  assert.equal(shown.preview, `pb_...${key.slice(-4)}`);
  assert.deepEqual(shown.scopes, ['data:read', 'data:write']);

  const list = await server.inject({ url: '/api/keys', headers: manage });
  assert.deepEqual(
    list.json<{ keys: Key[] }>().keys.map(({ name }) => name),
    ['laptop', 'test', 'first key'],
  );
  const one = await server.inject({ url: `/api/keys/${shown.id}`, headers: manage });
  assert.deepEqual(one.json(), shown);
  for (const answer of [list, one]) assert.ok(!answer.body.includes(key));
});

test('a bad key is refused with the property at fault, and nothing is stored', async () => {
  await using server = await bootTest({ plugins, auth });
  const manage = bearer(await server.key('manage'));
  const cases: [payload: object, code: string, param: string | null][] = [
    [{}, 'invalid_request', 'name'],
    [{ name: '' }, 'invalid_request', 'name'],
    [{ name: ' \u3000' }, 'invalid_request', 'name'],
    [{ name: 'a', scopes: ['x'.repeat(101)] }, 'invalid_request', 'scopes.0'],
    [{ name: 'a', scopes: ['manage', 'data:reed'] }, 'unknown_scope', 'scopes.1'],
    [{ name: 'a', scope: ['manage'] }, 'invalid_request', 'scope'],
    [{ name: 'a', addresses: ['10.0.0.0/33'] }, 'address_unreadable', 'addresses.0'],
    [{ name: 'a', addresses: ['10.0.0.1', 'localhost'] }, 'address_unreadable', 'addresses.1'],
    [{ name: 'a', owner: '../web' }, 'invalid_request', 'owner'],
    [{ name: 'a', scopes: ['x', 'manage'], publishable: true }, 'not_publishable', 'scopes.1'],
    [{ name: 'a', expiresAt: 'soon' }, 'invalid_request', 'expiresAt'],
    [{ name: 'a', expiresAt: '2020-01-01T00:00:00Z' }, 'expiry_passed', 'expiresAt'],
  ];
  for (const [payload, code, param] of cases) {
    const answer = await server.inject({ method: 'POST', url: '/api/keys', headers: manage, payload });
    const { error } = answer.json<{ error: { code: string; param: string | null } }>();
    assert.deepEqual([answer.statusCode, error.code, error.param], [400, code, param], answer.body);
  }
  const list = await server.inject({ url: '/api/keys', headers: manage });
  assert.equal(list.json<{ keys: Key[] }>().keys.length, 2);
});

test('an unknown scope is refused with the nearest that exists', async () => {
  await using server = await bootTest({ plugins, auth });
  const headers = bearer(await server.key());
  const payload = { name: 'a', scopes: ['data:reed'] };
  const answer = await server.inject({ method: 'POST', url: '/api/keys', headers, payload });
  assert.equal(
    answer.json<{ error: { message: string } }>().error.message,
    'unknown scope "data:reed"; did you mean "data:read"? (known: data:read, data:write, manage, repo, x, y, *)',
  );
});

test('a key gives only scopes that it holds itself, and a session gives all', async () => {
  await using server = await bootTest({ plugins, auth });
  const create = async (headers: Record<string, string>, scopes: string[]): Promise<string> => {
    const payload = { name: 'made', scopes };
    const answer = await server.inject({ method: 'POST', url: '/api/keys', headers, payload });
    return answer.statusCode === 201 ? '201' : outcome(answer);
  };
  const [manage, both] = [bearer(await server.key('manage')), bearer(await server.key('manage', 'x'))];
  const { cookie, csrfToken } = await beginSession(server);
  const session = { cookie, 'x-csrf-token': csrfToken };
  for (const [headers, scopes, expected] of [
    [manage, ['manage'], '201'],
    [manage, [], '201'],
    [manage, ['x'], '403 scope_not_held'],
    [manage, ['*'], '403 scope_not_held'],
    [both, ['x', 'manage'], '201'],
    [both, ['x', 'y'], '403 scope_not_held'],
    [session, ['*'], '201'],
  ] as const) {
    assert.equal(await create(headers, [...scopes]), expected, scopes.join(' '));
  }
});

test('a key for management alone cannot open management to everybody', async () => {
  await using server = await bootTest({ plugins, auth });
  const open = async (key: string): Promise<number> => {
    const payload = { requireLogin: false };
    const url = '/api/settings/require-login';
    return (await server.inject({ method: 'PUT', url, headers: bearer(key), payload })).statusCode;
  };
  assert.equal(await open(await server.key('manage')), 403);
  assert.equal((await server.inject({ url: '/api/keys' })).statusCode, 401);
  assert.equal(await open(await server.key('*')), 200);
});

test('a key expires at its instant, also when it is cached', async () => {
  const clock = new TestClock();
  await using server = await bootTest({ plugins, auth, clock });
  const manage = bearer(await server.key());
  const expiresAt = new Date(clock.now() + HOUR).toISOString();
  const { key } = await createKey(server, manage, { name: 'brief', scopes: ['x'], expiresAt });
  assert.equal(await use(server, key), '200 key');
  clock.advance(HOUR - 1);
  assert.equal(await use(server, key), '200 key');
  clock.advance(1);
  assert.equal(await use(server, key), '401 api_key_expired');
});

test('a key that does not exist is not found', async () => {
  await using server = await bootTest({ plugins, auth });
  const headers = bearer(await server.key('manage'));
  for (const id of ['nothing', '%00', '한'.repeat(300)]) {
    for (const method of ['GET', 'DELETE'] as const) {
      const answer = await server.inject({ method, url: `/api/keys/${encodeURI(id)}`, headers });
      assert.equal(outcome(answer), '404 key_not_found');
    }
  }
});

async function createKey(server: TestServer, headers: Record<string, string>, payload: object): Promise<Key> {
  const answer = await server.inject({ method: 'POST', url: '/api/keys', headers, payload });
  assert.equal(answer.statusCode, 201, answer.body);
  return answer.json();
}

async function use(server: TestServer, key: string): Promise<string> {
  return outcome(await server.inject({ url: '/guarded/bearer', headers: bearer(key) }));
}

test('a key with addresses is taken from them alone, in whatever form an address comes', async () => {
  await using server = await bootTest({ plugins, auth });
  const created = await server.inject({
    method: 'POST',
    url: '/api/keys',
    headers: bearer(await server.key()),
    payload: { name: 'office', scopes: ['x'], addresses: ['10.1.0.0/16', '2001:db8::/32', '192.0.2.7'] },
  });
  const { key } = created.json<Key>();
  const from = (address: string): Promise<string> => visit(server, 'bearer', bearer(key), address);
  for (const address of ['10.1.2.3', '2001:db8::1', '192.0.2.7', '::ffff:10.1.2.3'])
    assert.equal(await from(address), '200 key', address);
  for (const address of ['10.2.0.1', '2001:db9::1', '192.0.2.8', '127.0.0.1'])
    assert.equal(await from(address), '403 address_not_allowed', address);
});

test('keys are listed page by page, searched and told apart by their state', async () => {
  await using server = await bootTest({ plugins, auth });
  const headers = bearer(await server.key());
  const make = async (payload: object): Promise<string> =>
    (await server.inject({ method: 'POST', url: '/api/keys', headers, payload })).json<{ id: string }>().id;
  for (let at = 1; at <= 5; at++) await make({ name: `app ${at}`, scopes: ['x'] });
  await make({ name: 'shop', scopes: ['data:read'], owner: 'acme' });
  const revoked = await make({ name: 'old app' });
  await server.inject({ method: 'DELETE', url: `/api/keys/${revoked}`, headers });
  const list = async (query: string) =>
    (await server.inject({ url: `/api/keys?${query}`, headers })).json<{
      keys: Key[];
      total: number;
      next: string | null;
    }>();
  const names = async (query: string): Promise<string[]> =>
    (await list(query)).keys.map(({ name }) => name).toSorted();

  assert.deepEqual(await names('search=APP&state=active'), ['app 1', 'app 2', 'app 3', 'app 4', 'app 5']);
  assert.deepEqual(await names('state=revoked'), ['old app']);
  assert.deepEqual(await names('state=expired'), []);
  assert.deepEqual(await names('search=acm'), ['shop']);
  assert.deepEqual(await names('search=data:'), ['shop']);
  assert.deepEqual(await names('search=.*'), []);

  const seen: string[] = [];
  for (let after = ''; ;) {
    const page = await list(`search=app&limit=2${after === '' ? '' : `&after=${after}`}`);
    assert.equal(page.total, 6);
    seen.push(...page.keys.map(({ name }) => name));
    if (page.next === null) break;
    after = page.next;
  }
  assert.deepEqual(seen.toSorted(), ['app 1', 'app 2', 'app 3', 'app 4', 'app 5', 'old app']);

  for (const after of ['x', 'bnVsbA', 'WzllOTksImEiXQ']) {
    const answer = await server.inject({ url: `/api/keys?after=${after}`, headers });
    assert.equal(
      `${answer.statusCode} ${answer.json<{ error: { code: string } }>().error.code}`,
      '400 invalid_cursor',
    );
  }
});
