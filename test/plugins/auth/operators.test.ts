/** People with access to the server: administrators, viewers and members by name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootTest, type TestServer } from 'plugboard/testing';
import { eachStore } from '../../support/stores.js';
import { totp } from '../../support/totp.js';
import { ADMIN_PASSWORD, basic, bearer, beginSession, guarded, outcome, TestClock } from './support.js';

const PASSWORD = 'seven green tractors';
const plugins = [
  {
    plugin: guarded({
      read: { accepts: 'bearer', scope: 'data:read' },
      write: { accepts: 'bearer', scope: 'data:write' },
      management: { accepts: 'management' },
    }),
  },
];
const auth = { adminPassword: ADMIN_PASSWORD, memberScopes: ['data:read'] };

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** Calls with a session, from the server's own pages. */
function as(server: TestServer, { cookie, csrfToken }: { cookie: string; csrfToken: string }) {
  const headers = { cookie, 'x-csrf-token': csrfToken };
  return (method: Method, url: string, payload?: object) =>
    server.inject({ method, url, headers, ...(payload && { payload }) });
}

async function logIn(server: TestServer, login: string, password = PASSWORD, otp?: string) {
  const payload = { login, password, ...(otp !== undefined && { otp }) };
  const answer = await server.inject({ method: 'POST', url: '/api/auth/login', payload });
  assert.equal(answer.statusCode, 200, answer.body);
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  return as(server, { cookie, csrfToken: answer.json<{ csrfToken: string }>().csrfToken });
}

async function withOperators(server: TestServer) {
  const admin = as(server, await beginSession(server));
  const ids: Record<string, number> = {};
  for (const access of ['admin', 'viewer', 'member', null]) {
    const login = `${access ?? 'no'}-ann`;
    const made = await admin('POST', '/api/users', { login, password: PASSWORD, access });
    assert.equal(made.statusCode, 201, made.body);
    ids[login] = made.json<{ id: number }>().id;
  }
  return { admin, ids };
}

eachStore('operators', (store) => {
  test('an administrator does everything, a viewer looks, a member has what is their own', async () => {
    await using server = await bootTest({ plugins, storage: await store.fresh(), auth });
    await withOperators(server);
    const table: Record<string, string[]> = {};
    for (const login of ['admin-ann', 'viewer-ann', 'member-ann']) {
      const call = await logIn(server, login);
      const calls: [Method, string, object?][] = [
        ['GET', '/guarded/read'],
        ['POST', '/guarded/read'],
        ['GET', '/guarded/write'],
        ['POST', '/guarded/write'],
        ['GET', '/guarded/management'],
        ['POST', '/guarded/management'],
        ['GET', '/api/users'],
        ['POST', '/api/apps', { name: 'a', url: 'https://example.com' }],
        ['GET', '/api/keys'],
        ['POST', '/api/keys', { name: 'k', scopes: ['data:write'] }],
      ];
      table[login] = [];
      for (const [method, url, payload] of calls)
        table[login].push(`${method} ${url} ${outcome(await call(method, url, payload)).replace(' ?', '')}`);
    }
    const refused = (line: string): boolean => / 40\d /.test(line);
    assert.deepEqual(table['admin-ann']?.filter(refused), []);
    assert.deepEqual(table['viewer-ann']?.filter(refused), [
      'POST /guarded/read 403 viewers_look',
      'POST /guarded/write 403 viewers_look',
      'POST /guarded/management 403 viewers_look',
      'POST /api/apps 403 viewers_look',
      'POST /api/keys 403 scope_not_held',
    ]);
    assert.deepEqual(table['member-ann']?.filter(refused), [
      'GET /guarded/write 403 insufficient_scope',
      'POST /guarded/write 403 insufficient_scope',
      'GET /guarded/management 403 insufficient_scope',
      'POST /guarded/management 403 insufficient_scope',
      'GET /api/users 403 insufficient_scope',
      'POST /api/apps 403 insufficient_scope',
      'POST /api/keys 403 scope_not_held',
    ]);
  });

  test('a member sees and revokes the keys that they made, and no others', async () => {
    await using server = await bootTest({ plugins, storage: await store.fresh(), auth });
    const { admin } = await withOperators(server);
    const member = await logIn(server, 'member-ann');
    const mine = await member('POST', '/api/keys', { name: 'mine', scopes: ['data:read'] });
    assert.equal(mine.statusCode, 201, mine.body);
    const { id, key } = mine.json<{ id: string; key: string }>();
    const others = await admin('POST', '/api/keys', { name: 'theirs', scopes: ['data:read'] });
    const listed = (await member('GET', '/api/keys')).json<{ keys: { id: string }[] }>();
    assert.deepEqual(
      listed.keys.map((each) => each.id),
      [id],
    );
    const other = others.json<{ id: string }>().id;
    assert.equal((await member('GET', `/api/keys/${other}`)).statusCode, 404);
    assert.equal((await member('DELETE', `/api/keys/${other}`)).statusCode, 404);
    const ofTenant = await member('POST', '/api/keys', { name: 'x', owner: 'web' });
    assert.equal(outcome(ofTenant), '403 administrator_only');
    assert.equal(outcome(await server.inject({ url: '/guarded/read', headers: bearer(key) })), '200 key');
    assert.equal((await member('DELETE', `/api/keys/${id}`)).statusCode, 200);
    assert.equal(
      outcome(await server.inject({ url: '/guarded/read', headers: bearer(key) })),
      '401 api_key_revoked',
    );
  });

  test('a session ends with the access, the user, a changed password, or by hand', async () => {
    await using server = await bootTest({ plugins, storage: await store.fresh(), auth });
    const { admin, ids } = await withOperators(server);
    const state = async (call: Awaited<ReturnType<typeof logIn>>): Promise<string> =>
      outcome(await call('GET', '/guarded/read'));

    const viewer = await logIn(server, 'viewer-ann');
    assert.equal(await state(viewer), '200 session');
    await admin('PATCH', `/api/users/${ids['viewer-ann']}`, { access: null });
    assert.equal(await state(viewer), '401 invalid_session');

    const first = await logIn(server, 'admin-ann');
    const second = await logIn(server, 'admin-ann');
    const changed = await second('POST', '/api/auth/password', {
      currentPassword: PASSWORD,
      newPassword: 'nine yellow submarines',
    });
    assert.equal(changed.statusCode, 200, changed.body);
    assert.deepEqual([await state(first), await state(second)], ['401 invalid_session', '200 session']);
    assert.equal(await state(admin), '200 session');

    const member = await logIn(server, 'member-ann');
    const own = (await member('GET', '/api/auth/sessions')).json<{
      sessions: { id: string; login: string }[];
    }>();
    assert.deepEqual(
      own.sessions.map(({ login }) => login),
      ['member-ann'],
    );
    const all = (await admin('GET', '/api/auth/sessions')).json<typeof own>();
    assert.deepEqual(all.sessions.map(({ login }) => login).toSorted(), ['admin', 'admin-ann', 'member-ann']);
    const ofAdmin = all.sessions.find(({ login }) => login === 'admin-ann')?.id;
    assert.equal((await member('DELETE', `/api/auth/sessions/${ofAdmin}`)).statusCode, 404);
    assert.equal((await admin('DELETE', `/api/auth/sessions/${own.sessions[0]?.id}`)).statusCode, 200);
    assert.equal(await state(member), '401 invalid_session');

    await admin('DELETE', `/api/users/${ids['admin-ann']}`);
    assert.equal(await state(second), '401 invalid_session');
  });
});

test('who has no access cannot log in, though the password is right for Basic', async () => {
  await using server = await bootTest({ plugins, auth });
  await withOperators(server);
  const login = (payload: object) => server.inject({ method: 'POST', url: '/api/auth/login', payload });
  assert.equal(outcome(await login({ login: 'no-ann', password: PASSWORD })), '403 no_access');
  assert.equal(outcome(await login({ login: 'nobody', password: PASSWORD })), '401 bad_credentials');
  assert.equal(outcome(await login({ login: 'admin-ann', password: 'wrong' })), '401 bad_credentials');
});

test('a one-time password is asked for where the user has one', async () => {
  const clock = new TestClock();
  await using server = await bootTest({ plugins, auth, clock });
  const { admin, ids } = await withOperators(server);
  const enrolled = await admin('POST', `/api/users/${ids['admin-ann']}/otp`);
  const { secret } = enrolled.json<{ secret: string }>();
  const login = (otp?: string) =>
    server.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { login: 'admin-ann', password: PASSWORD, ...(otp && { otp }) },
    });
  assert.equal(outcome(await login()), '401 otp_required');
  assert.equal(outcome(await login('000000')), '401 invalid_otp');
  const code = totp(secret, clock.now());
  assert.equal((await login(code)).statusCode, 200);
  assert.equal(outcome(await login(code)), '401 invalid_otp', 'a code is taken once');
});

test('a key for management alone makes and takes no administrator', async () => {
  await using server = await bootTest({ plugins, auth });
  const { ids } = await withOperators(server);
  const headers = bearer(await server.key('manage'));
  const call = async (method: Method, url: string, payload?: object): Promise<string> =>
    outcome(await server.inject({ method, url, headers, ...(payload && { payload }) }));
  const admin = `/api/users/${ids['admin-ann']}`;
  const plain = `/api/users/${ids['no-ann']}`;
  for (const [method, url, payload] of [
    ['POST', '/api/users', { login: 'eve', password: PASSWORD, access: 'admin' }],
    ['PATCH', plain, { access: 'viewer' }],
    ['PATCH', admin, { password: 'eleven purple horses' }],
    ['DELETE', admin],
    ['POST', `${admin}/otp`],
    ['DELETE', `${admin}/otp`],
  ] as const)
    assert.equal(await call(method, url, payload), '403 administrator_only', `${method} ${url}`);
  assert.equal((await call('PATCH', plain, { name: 'No' })).slice(0, 3), '200');
});

test('a password that is tried first is refused wherever one is set', async () => {
  await using server = await bootTest({ plugins, auth });
  const admin = as(server, await beginSession(server));
  for (const password of ['password1234', 'aaaaaaaaaaaa', 'qwertyuiop123', 'adminadminadmin'])
    assert.equal(
      outcome(await admin('POST', '/api/users', { login: 'bob', password })),
      '400 common_password',
      password,
    );
  const changed = await admin('POST', '/api/auth/password', {
    currentPassword: ADMIN_PASSWORD,
    newPassword: 'letmeinplease',
  });
  assert.equal(outcome(changed), '400 common_password');
  await assert.rejects(bootTest({ plugins, auth: { adminPassword: 'password1234' } }), /too easy to guess/);
  const basicUser = await server.inject({ url: '/guarded/read', headers: basic('bob', 'password1234') });
  assert.equal(basicUser.statusCode, 401);
});
