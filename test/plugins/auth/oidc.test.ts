/** Logging in by an identity provider. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { bootTest, type TestServer } from 'plugboard/testing';
import { TestOidcProvider } from '../../support/peers/oidc-provider.js';
import { signingKey } from '../../support/peers/token-issuer.js';
import { ADMIN_PASSWORD, guarded, MINUTE, outcome, TestClock } from './support.js';

const plugins = [{ plugin: guarded({ management: { accepts: 'management' } }) }];

async function start(t: TestContext) {
  const provider = await TestOidcProvider.start(t);
  const clock = new TestClock();
  const server = await bootTest({
    plugins,
    auth: {
      adminPassword: ADMIN_PASSWORD,
      oidc: [
        {
          name: 'work',
          label: 'Work',
          issuer: provider.url,
          clientId: 'plugboard',
          clientSecret: 'secret',
          callback: 'http://localhost:8080/api/auth/oidc/work/callback',
          access: { ops: 'admin', everybody: 'viewer' },
        },
      ],
    },
    clock,
  });
  t.after(() => server.stop());
  return { provider, server, clock };
}

const cookieIn = (header: unknown, name: string): string =>
  [header]
    .flat()
    .map(String)
    .find((cookie) => cookie.startsWith(`${name}=`))
    ?.split(';')[0] ?? '';

/** Sends a browser to the provider: its cookie, and the path that it comes back to. */
async function begin(server: TestServer, provider: TestOidcProvider, next = '/console') {
  const sent = await server.inject(`/api/auth/oidc/work/login?next=${encodeURIComponent(next)}`);
  assert.equal(sent.statusCode, 302, sent.body);
  const back = provider.visit(String(sent.headers.location));
  return {
    cookie: cookieIn(sent.headers['set-cookie'], 'plugboard_login'),
    path: back.pathname + back.search,
  };
}

async function logIn(server: TestServer, provider: TestOidcProvider, next?: string) {
  const { cookie, path } = await begin(server, provider, next);
  return server.inject({ url: path, headers: { cookie } });
}

test('a person of the provider has the access of their groups, and is the same person each time', async (t) => {
  const { provider, server } = await start(t);
  const back = await logIn(server, provider, '/console/keys?page=2');
  assert.deepEqual([back.statusCode, back.headers.location], [302, '/console/keys?page=2']);
  const cookie = cookieIn(back.headers['set-cookie'], 'plugboard_session');
  const status = (await server.inject({ url: '/api/auth/status', headers: { cookie } })).json<
    Record<string, unknown>
  >();
  assert.deepEqual([status['login'], status['access']], ['ann', 'admin']);
  assert.deepEqual(status['providers'], [
    { name: 'work', label: 'Work', login: '/api/auth/oidc/work/login' },
  ]);

  provider.claims = { sub: 'u1', preferred_username: 'other', groups: 'everybody' };
  await logIn(server, provider);
  provider.claims = { sub: 'u2', preferred_username: 'ann', groups: ['everybody'] };
  await logIn(server, provider);
  const users = (await server.inject({ url: '/api/users', headers: { cookie } })).json<{
    users: { login: string; access: string }[];
  }>();
  assert.deepEqual(
    users.users.map(({ login, access }) => [login.replace(/-.*/, '-?'), access]),
    [
      ['ann', 'viewer'],
      ['ann-?', 'viewer'],
    ],
    'another subject is another person, also with the same name',
  );
});

test('a person whose groups have no access is refused, and loses what they had', async (t) => {
  const { provider, server } = await start(t);
  const cookie = cookieIn((await logIn(server, provider)).headers['set-cookie'], 'plugboard_session');
  const visit = async (): Promise<string> =>
    outcome(await server.inject({ url: '/guarded/management', headers: { cookie } }));
  assert.equal(await visit(), '200 session');
  provider.claims = { sub: 'u1', groups: ['sales'] };
  assert.equal(outcome(await logIn(server, provider)), '403 no_access');
  assert.equal(await visit(), '401 invalid_session');
});

test('a callback is good once, in the browser that began, within ten minutes', async (t) => {
  const { provider, server, clock } = await start(t);
  const first = await begin(server, provider);
  const other = await begin(server, provider);
  const call = async (url: string, cookie: string): Promise<string> => {
    const answer = await server.inject({ url, headers: { cookie } });
    return answer.statusCode === 302 ? '302' : outcome(answer);
  };
  assert.equal(await call(first.path, ''), '400 oidc_expired');
  assert.equal(await call(first.path, other.cookie), '400 oidc_expired');
  assert.equal(await call(first.path, first.cookie), '302');
  assert.equal(await call(first.path, first.cookie), '400 oidc_expired');
  clock.advance(11 * MINUTE);
  assert.equal(await call(other.path, other.cookie), '400 oidc_expired');
  assert.equal(await call('/api/auth/oidc/work/callback?state=x&code=y', other.cookie), '400 oidc_expired');
  assert.equal(await call('/api/auth/oidc/home/login', ''), '404 oidc_unknown');
});

test('an ID token that is forged or for somebody else logs nobody in', async (t) => {
  const { provider, server } = await start(t);
  const { signer, claims } = provider;
  provider.signer = await signingKey('oidc', 'RS256');
  assert.equal(outcome(await logIn(server, provider)), '401 oidc_refused');
  provider.signer = signer;
  for (const wrong of [{ aud: 'other' }, { nonce: 'other' }, { iss: 'https://evil.example' }, { exp: 1 }]) {
    provider.claims = { ...claims, ...wrong };
    assert.equal(outcome(await logIn(server, provider)), '401 oidc_refused', JSON.stringify(wrong));
  }
});

test('where the browser goes next is a path of this server', async (t) => {
  const { provider, server } = await start(t);
  for (const next of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    'x',
  ])
    assert.equal((await logIn(server, provider, next)).headers.location, '/', next);
});

test('a provider that is down is 503, and is asked again by the next login', async (t) => {
  const { provider, server } = await start(t);
  provider.stop();
  const answer = await server.inject('/api/auth/oidc/work/login');
  assert.equal(outcome(answer), '503 oidc_unavailable');
  assert.doesNotMatch(answer.body, /ECONNREFUSED|127\.0\.0\.1/);
});
