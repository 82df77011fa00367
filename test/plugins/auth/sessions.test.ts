import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootTest, type TestServer } from 'plugboard/testing';
import { ADMIN_PASSWORD, bearer, beginSession, guarded, HOUR, login, outcome, TestClock } from './support.js';

const plugins = [{ plugin: guarded({ management: { accepts: 'management' } }) }];
const auth = { adminPassword: ADMIN_PASSWORD };

test('a login sets a cookie that scripts cannot read, and the logout ends it', async () => {
  await using server = await bootTest({ plugins, auth });
  const answer = await login(server);
  const cookies = String(answer.headers['set-cookie']);
  assert.match(cookies, /^plugboard_session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);
  const cookie = cookies.split(';')[0] ?? '';
  const { csrfToken } = answer.json<{ csrfToken: string }>();
  assert.deepEqual(await status(server, { cookie }), {
    authenticated: true,
    requireLogin: true,
    csrfToken,
    login: 'admin',
    access: 'admin',
    providers: [],
    scopes: ['*'],
  });
  assert.equal(await manage(server, { cookie }), '200 session');

  const headers = { cookie, 'x-csrf-token': csrfToken };
  const logout = await server.inject({ method: 'POST', url: '/api/auth/logout', headers });
  assert.match(String(logout.headers['set-cookie']), /^plugboard_session=; Max-Age=0;/);
  assert.deepEqual(await status(server, { cookie }), {
    authenticated: false,
    requireLogin: true,
    csrfToken: null,
    login: null,
    access: null,
    providers: [],
    scopes: [],
  });
  assert.equal(await manage(server, { cookie }), '401 invalid_session');
});

test('the cookie is for https only where the login came over https', async () => {
  await using server = await bootTest({ plugins, auth, server: { trustProxy: true } });
  const answer = await login(server, ADMIN_PASSWORD, { 'x-forwarded-proto': 'https' });
  assert.match(String(answer.headers['set-cookie']), /; Secure/);
});

test('a new login ends the session that the browser had', async () => {
  await using server = await bootTest({ plugins, auth });
  const before = await beginSession(server);
  const answer = await login(server, ADMIN_PASSWORD, { cookie: before.cookie });
  assert.equal(answer.statusCode, 200);
  assert.equal(await manage(server, { cookie: before.cookie }), '401 invalid_session');
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  assert.equal(await manage(server, { cookie }), '200 session');
});

test('a session lives twelve hours from its last use', async () => {
  const clock = new TestClock();
  await using server = await bootTest({ plugins, auth, clock });
  const { cookie } = await beginSession(server);
  for (let use = 0; use < 3; use += 1) {
    clock.advance(11 * HOUR);
    const answer = await server.inject({ url: '/guarded/management', headers: { cookie } });
    assert.equal(outcome(answer), '200 session');
    assert.match(String(answer.headers['set-cookie']), /Max-Age=43200/, 'the cookie lives on too');
  }
  clock.advance(12 * HOUR);
  assert.equal(await manage(server, { cookie }), '401 invalid_session');
});

test("a state-changing call with a cookie needs the server's own Origin or the CSRF token", async () => {
  await using server = await bootTest({ plugins, auth, server: { allowedHosts: ['a.example'] } });
  const { cookie, csrfToken } = await beginSession(server);
  const other = await beginSession(server);
  const cases: [name: string, headers: Record<string, string>, expected: string][] = [
    ['neither', {}, '403 cross_origin'],
    ['own Origin', { origin: 'http://localhost:80', host: 'localhost:80' }, '200 session'],
    [
      'own Origin behind a proxy that ends TLS',
      { origin: 'https://a.example', host: 'a.example' },
      '200 session',
    ],
    [
      'own Origin on another port',
      { origin: 'http://localhost:3000', host: 'localhost:80' },
      '403 cross_origin',
    ],
    ['another Origin', { origin: 'http://evil.example' }, '403 cross_origin'],
    ['an Origin that begins like ours', { origin: 'http://localhost.evil.example' }, '403 cross_origin'],
    ['the Origin of a sandboxed frame', { origin: 'null' }, '403 cross_origin'],
    ['the token', { 'x-csrf-token': csrfToken }, '200 session'],
    ['the token of another session', { 'x-csrf-token': other.csrfToken }, '403 cross_origin'],
    ['an empty token', { 'x-csrf-token': '' }, '403 cross_origin'],
  ];
  for (const [name, headers, expected] of cases) {
    const request = {
      method: 'POST',
      url: '/guarded/management',
      headers: { cookie, ...headers },
    } as const;
    assert.equal(outcome(await server.inject(request)), expected, name);
  }
  const key = bearer(await server.key('manage'));
  const withKey = {
    method: 'POST',
    url: '/guarded/management',
    headers: { ...key, origin: 'http://evil.example' },
  } as const;
  assert.equal(outcome(await server.inject(withKey)), '200 key', 'a key does not travel by itself');
});

test('another site can neither log a browser in nor out', async () => {
  await using server = await bootTest({ plugins, auth });
  const { cookie } = await beginSession(server);
  const origin = 'http://evil.example';
  const form = { origin, 'content-type': 'application/x-www-form-urlencoded' };
  const payload = `password=${encodeURIComponent(ADMIN_PASSWORD)}`;
  const byForm = await server.inject({ method: 'POST', url: '/api/auth/login', headers: form, payload });
  assert.equal(outcome(byForm), '403 cross_origin');
  const logout = await server.inject({
    method: 'POST',
    url: '/api/auth/logout',
    headers: { cookie, origin },
  });
  assert.equal(outcome(logout), '403 cross_origin');
  assert.equal(await manage(server, { cookie }), '200 session');
});

test('changing the password needs the old one and ends all other sessions', async () => {
  await using server = await bootTest({ plugins, auth });
  const [mine, other] = [await beginSession(server), await beginSession(server)];
  const headers = { cookie: mine.cookie, 'x-csrf-token': mine.csrfToken };
  const change = (currentPassword: string, newPassword: string) =>
    server.inject({
      method: 'POST',
      url: '/api/auth/password',
      headers,
      payload: { currentPassword, newPassword },
    });

  assert.equal(outcome(await change('wrong password', 'a new password')), '401 wrong_password');
  assert.equal(outcome(await change(ADMIN_PASSWORD, 'short')), '400 invalid_request');
  assert.equal(await manage(server, { cookie: other.cookie }), '200 session');

  assert.equal((await change(ADMIN_PASSWORD, 'a new password')).statusCode, 200);
  assert.equal(await manage(server, { cookie: mine.cookie }), '200 session');
  assert.equal(await manage(server, { cookie: other.cookie }), '401 invalid_session');
  assert.equal(outcome(await login(server, ADMIN_PASSWORD)), '401 wrong_password');
  assert.equal((await login(server, 'a new password')).statusCode, 200);
});

test('the address is locked too, so that another login cannot be tried from it', async () => {
  await using server = await bootTest({ plugins, auth });
  const from = (remoteAddress: string, password: string) =>
    server.inject({ method: 'POST', url: '/api/auth/login', payload: { password }, remoteAddress });
  for (let failure = 0; failure < 4; failure += 1) await from('10.0.0.1', 'wrong password');
  // A right password forgives the login, not the address.
  assert.equal((await from('10.0.0.2', ADMIN_PASSWORD)).statusCode, 200);
  await from('10.0.0.1', 'wrong password');
  assert.equal((await from('10.0.0.1', ADMIN_PASSWORD)).statusCode, 429);
  assert.equal((await from('10.0.0.2', ADMIN_PASSWORD)).statusCode, 200);
});

test('guesses sent at once get no further than guesses sent one after another', async () => {
  await using server = await bootTest({ plugins, auth });
  const guesses = await Promise.all(Array.from({ length: 20 }, () => login(server, 'wrong password')));
  const checked = guesses.filter(({ statusCode }) => statusCode === 401).length;
  // Two are checked at a time, so one may be under way when the fifth fails.
  assert.ok(checked >= 5 && checked <= 6, `${checked} were checked`);
});

test('without requireLogin management is open, but not to other sites, and credentials are still judged', async () => {
  await using server = await bootTest({ plugins, auth });
  const { cookie, csrfToken } = await beginSession(server);
  const set = (requireLogin: boolean, headers: Record<string, string>) =>
    server.inject({
      method: 'PUT',
      url: '/api/settings/require-login',
      headers,
      payload: { requireLogin },
    });
  assert.equal(outcome(await set(false, {})), '401 missing_credentials');
  assert.equal((await set(false, { cookie, 'x-csrf-token': csrfToken })).statusCode, 200);
  assert.deepEqual((await server.inject('/api/settings/require-login')).json(), { requireLogin: false });

  const post = async (headers: Record<string, string>): Promise<string> =>
    outcome(await server.inject({ method: 'POST', url: '/guarded/management', headers }));
  assert.equal(await post({}), '200 anonymous');
  assert.equal(await post({ cookie: 'plugboard_session=stale' }), '200 anonymous');
  assert.equal(await post({ origin: 'http://evil.example' }), '403 cross_origin');
  assert.equal(await post(bearer(`pb_${'x'.repeat(43)}`)), '401 invalid_api_key');
  assert.equal((await set(true, {})).statusCode, 200);
  assert.equal(await post({}), '401 missing_credentials');
});

test('a console on another origin that CORS allows can log in, and works with the CSRF token', async () => {
  const origin = 'http://localhost:5173';
  await using server = await bootTest({ plugins, auth, server: { cors: { origins: [origin] } } });
  const answer = await login(server, ADMIN_PASSWORD, { origin });
  assert.equal(answer.headers['access-control-allow-origin'], origin);
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  const headers = { cookie, origin, 'x-csrf-token': answer.json<{ csrfToken: string }>().csrfToken };
  const call = await server.inject({ method: 'POST', url: '/guarded/management', headers });
  assert.equal(outcome(call), '200 session');
});

async function manage(server: TestServer, headers: Record<string, string>): Promise<string> {
  return outcome(await server.inject({ url: '/guarded/management', headers }));
}

async function status(server: TestServer, headers: Record<string, string>): Promise<object> {
  return (await server.inject({ url: '/api/auth/status', headers })).json();
}
