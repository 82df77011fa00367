import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bootTest, type TestServer } from 'plugboard/testing';
import { AUTH, type Request, type TokenVerifier } from 'plugboard/sdk';
import { totp } from '../../support/totp.js';
import { eachStore } from '../../support/stores.js';
import {
  ADMIN_PASSWORD,
  basic,
  bearer,
  beginSession,
  guarded,
  HOUR,
  outcome,
  TestClock,
  type GuardSpec,
} from './support.js';

const GUARDS: Readonly<Record<string, GuardSpec>> = {
  bearer: { accepts: 'bearer', scope: ['data:read', 'x'] },
  scoped: { accepts: 'bearer', scope: 'data:write' },
  token: { accepts: 'token', scope: 'repo' },
  management: { accepts: 'management' },
  user: { accepts: 'basicUser' },
  app: { accepts: 'basicApp' },
  console: { accepts: ['bearer', 'management'], scope: 'x' },
  feed: { accepts: ['token', 'basicUser'], optional: true },
  anyone: { accepts: ['bearer', 'management'], optional: true },
};

/** The form of a token first, as it is asked for passwords too. */
const verifier: TokenVerifier = ({ token }) => {
  if (!/^[0-9a-f]{40}$/.test(token)) return Promise.resolve(undefined);
  const scopes = { [GOOD_TOKEN]: ['repo'], [WEAK_TOKEN]: ['gist'] }[token];
  const user = {
    id: 1,
    login: 'ann',
    type: 'User',
    siteAdmin: false,
    imageId: '',
    name: null,
    email: null,
  } as const;
  return Promise.resolve(scopes === undefined ? null : { kind: 'user', user, scopes, via: 'token' });
};
const GOOD_TOKEN = 'a'.repeat(40);
const WEAK_TOKEN = 'b'.repeat(40);
const REVOKED_TOKEN = 'c'.repeat(40);

/** For each credential: which outcome it has at which guards. */
const TABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  none: {
    '401 missing_credentials': 'bearer scoped token management user app console',
    '200 anonymous': 'feed anyone',
  },
  malformed: {
    '401 malformed_credentials': 'bearer scoped token management user app console feed anyone',
  },
  'key without scopes': {
    '200 key': 'anyone',
    '403 insufficient_scope': 'bearer scoped management console',
    '401 credential_not_accepted': 'token user app feed',
  },
  'key with data:write': {
    '200 key': 'scoped anyone',
    '403 insufficient_scope': 'bearer management console',
    '401 credential_not_accepted': 'token user app feed',
  },
  'key with x': {
    '200 key': 'bearer console anyone',
    '403 insufficient_scope': 'scoped management',
    '401 credential_not_accepted': 'token user app feed',
  },
  'key with manage': {
    '200 key': 'management console anyone',
    '403 insufficient_scope': 'bearer scoped',
    '401 credential_not_accepted': 'token user app feed',
  },
  'key with *': {
    '200 key': 'bearer scoped management console anyone',
    '401 credential_not_accepted': 'token user app feed',
  },
  'key in X-API-Key': {
    '200 key': 'bearer console anyone',
    '403 insufficient_scope': 'scoped management',
    '401 credential_not_accepted': 'token user app feed',
  },
  'unknown key': {
    '401 invalid_api_key': 'bearer scoped management console anyone',
    '401 credential_not_accepted': 'token user app feed',
  },
  'expired key': {
    '401 api_key_expired': 'bearer scoped management console anyone',
    '401 credential_not_accepted': 'token user app feed',
  },
  'revoked key': {
    '401 api_key_revoked': 'bearer scoped management console anyone',
    '401 credential_not_accepted': 'token user app feed',
  },
  session: {
    '401 missing_credentials': 'token user app',
    '200 session': 'bearer scoped management console anyone',
    '200 anonymous': 'feed',
  },
  'ended session': {
    '401 missing_credentials': 'token user app',
    '401 invalid_session': 'bearer scoped management console',
    '200 anonymous': 'feed anyone',
  },
  'good token': {
    '403 insufficient_scope': 'bearer scoped management console',
    '200 user': 'token feed anyone',
    '401 credential_not_accepted': 'user app',
  },
  'token of the scheme token': {
    '403 insufficient_scope': 'bearer scoped management console',
    '200 user': 'token feed anyone',
    '401 credential_not_accepted': 'user app',
  },
  'token as Basic password': {
    '401 credential_not_accepted': 'bearer scoped management user console anyone',
    '200 user': 'token feed',
    '401 bad_credentials': 'app',
  },
  'token without the scope': {
    '403 insufficient_scope': 'bearer scoped token management console',
    '401 credential_not_accepted': 'user app',
    '200 user': 'feed anyone',
  },
  'revoked token': {
    '401 invalid_api_key': 'bearer scoped management console anyone',
    '401 invalid_token': 'token feed',
    '401 credential_not_accepted': 'user app',
  },
  'unknown token': {
    '401 invalid_api_key': 'bearer scoped management console anyone',
    '401 invalid_token': 'token feed',
    '401 credential_not_accepted': 'user app',
  },
  'login and password': {
    '401 credential_not_accepted': 'bearer scoped management console anyone',
    '401 bad_credentials': 'token app',
    '200 user': 'user feed',
  },
  'login in other case': {
    '401 credential_not_accepted': 'bearer scoped management console anyone',
    '401 bad_credentials': 'token app',
    '200 user': 'user feed',
  },
  'wrong password': {
    '401 credential_not_accepted': 'bearer scoped management console anyone',
    '401 bad_credentials': 'token user app feed',
  },
  'unknown login': {
    '401 credential_not_accepted': 'bearer scoped management console anyone',
    '401 bad_credentials': 'token user app feed',
  },
  'two-factor, no code': {
    '401 credential_not_accepted': 'bearer scoped management console anyone',
    '401 bad_credentials': 'token app',
    '401 otp_required': 'user feed',
  },
  'two-factor, wrong code': {
    '401 credential_not_accepted': 'bearer scoped management console anyone',
    '401 bad_credentials': 'token app',
    '401 invalid_otp': 'user feed',
  },
  'two-factor, code': {
    '401 credential_not_accepted': 'bearer scoped management console anyone',
    '401 bad_credentials': 'token app',
    '200 user': 'user',
    '401 invalid_otp': 'feed',
  },
  'client id and secret': {
    '401 credential_not_accepted': 'bearer scoped management console anyone',
    '401 bad_credentials': 'token user feed',
    '200 app': 'app',
  },
  'wrong client secret': {
    '401 credential_not_accepted': 'bearer scoped management console anyone',
    '401 bad_credentials': 'token user app feed',
  },
  'unknown client id': {
    '401 credential_not_accepted': 'bearer scoped management console anyone',
    '401 bad_credentials': 'token user app feed',
  },
};

eachStore('guards', (store) => {
  const clock = new TestClock();
  let server: TestServer;
  let credentials: Record<string, Record<string, string>>;

  before(async () => {
    server = await bootTest({
      plugins: [{ plugin: guarded(GUARDS, verifier) }],
      storage: await store.fresh(),
      auth: { adminPassword: ADMIN_PASSWORD, lockout: { basic: { failures: 1000 } } },
      clock,
    });
    credentials = await makeCredentials(server, clock);
  });
  after(() => server.stop());

  test('every guard answers every credential as the table says', async () => {
    assert.deepEqual(Object.keys(credentials), Object.keys(TABLE));
    for (const [name, headers] of Object.entries(credentials)) {
      const outcomes: Record<string, string> = {};
      for (const guard of Object.keys(GUARDS)) {
        const got = outcome(await server.inject({ url: `/guarded/${guard}`, headers }));
        outcomes[got] = outcomes[got] === undefined ? guard : `${outcomes[got]} ${guard}`;
      }
      assert.deepEqual(outcomes, TABLE[name], name);
    }
  });

  test('a refusal names a scheme that the route takes', async () => {
    const challengeOf = async (guard: string, name: string): Promise<string> => {
      const answer = await server.inject({ url: `/guarded/${guard}`, headers: credentials[name] ?? {} });
      return String(answer.headers['www-authenticate']);
    };
    assert.equal(await challengeOf('bearer', 'none'), 'Bearer realm="plugboard"');
    assert.equal(await challengeOf('user', 'none'), 'Basic realm="plugboard", charset="UTF-8"');
    assert.equal(
      await challengeOf('feed', 'malformed'),
      'Bearer realm="plugboard", Basic realm="plugboard", charset="UTF-8"',
    );
    assert.equal(
      await challengeOf('bearer', 'unknown key'),
      'Bearer realm="plugboard", error="invalid_token"',
    );
    assert.equal(
      await challengeOf('scoped', 'key without scopes'),
      'Bearer realm="plugboard", error="insufficient_scope", scope="data:write"',
    );
  });

  test('the OpenAPI document says what a route takes', async () => {
    interface Document {
      paths: Record<string, { get: { security: object[] } }>;
      components: { securitySchemes: Record<string, { type: string }> };
    }
    const { paths, components } = (await server.inject('/-/openapi.json')).json<Document>();
    const takes = (name: string) => paths[`/guarded/${name}`]?.get.security;
    assert.deepEqual(takes('management'), [
      { apiKey: ['manage'] },
      { apiKeyHeader: ['manage'] },
      { session: [] },
    ]);
    assert.deepEqual(takes('feed'), [{ accessToken: [] }, { user: [] }, {}]);
    assert.deepEqual(takes('bearer'), [
      { apiKey: ['data:read'] },
      { apiKey: ['x'] },
      { apiKeyHeader: ['data:read'] },
      { apiKeyHeader: ['x'] },
      { session: [] },
    ]);
    assert.deepEqual(Object.keys(components.securitySchemes).toSorted(), [
      'accessToken',
      'apiKey',
      'apiKeyHeader',
      'application',
      'session',
      'user',
    ]);
  });

  test('a verifier that was removed is not asked any more', async () => {
    const auth = server.service(AUTH);
    const remove = auth.registerVerifier(async ({ token }) =>
      token === 'special' ? { kind: 'anonymous', scopes: ['repo'] } : undefined,
    );
    const ask = async (): Promise<string> =>
      outcome(await server.inject({ url: '/guarded/token', headers: bearer('special') }));
    assert.equal(await ask(), '200 anonymous');
    remove();
    assert.equal(await ask(), '401 invalid_token');
  });

  test('asking for the principal of a route without a guard is a fault of the plugin', () => {
    const request = { method: 'GET', routeOptions: { url: '/open' } } as Request;
    assert.throws(
      () => server.service(AUTH).principal(request),
      /GET \/open asks for its principal but has no guard/,
    );
  });
});

async function makeCredentials(
  server: TestServer,
  clock: TestClock,
): Promise<Record<string, Record<string, string>>> {
  const admin = bearer(await server.key('manage'));
  const post = async (url: string, payload?: object): Promise<Record<string, string>> => {
    const answer = await server.inject({ method: 'POST', url, headers: admin, ...(payload && { payload }) });
    assert.equal(answer.statusCode, 201, answer.body);
    return answer.json();
  };
  const expiresAt = new Date(clock.now() + HOUR).toISOString();
  const [expiring, revoked, app, otto] = [
    await post('/api/keys', { name: 'expiring', expiresAt }),
    await post('/api/keys', { name: 'revoked' }),
    await post('/api/apps', { name: 'app', url: 'https://example.com' }),
    await post('/api/users', { login: 'otto', password: 'password of otto' }),
  ];
  await post('/api/users', { login: 'ann', password: 'password of ann' });
  await server.inject({ method: 'DELETE', url: `/api/keys/${revoked.id}`, headers: admin });
  const { secret = '' } = await post(`/api/users/${otto.id}/otp`);
  const stale = await beginSession(server);
  await server.inject({
    method: 'POST',
    url: '/api/auth/logout',
    headers: { cookie: stale.cookie, 'x-csrf-token': stale.csrfToken },
  });
  clock.advance(HOUR);
  const { cookie } = await beginSession(server);
  const otp = totp(secret, clock.now());
  return {
    none: {},
    malformed: { authorization: 'Nonsense' },
    'key without scopes': bearer((await post('/api/keys', { name: 'none' })).key ?? ''),
    'key with data:write': bearer(await server.key('data:write')),
    'key with x': bearer(await server.key('x')),
    'key with manage': admin,
    'key with *': bearer(await server.key('*')),
    'key in X-API-Key': { 'x-api-key': await server.key('x') },
    'unknown key': bearer(`pb_${'x'.repeat(43)}`),
    'expired key': bearer(expiring.key ?? ''),
    'revoked key': bearer(revoked.key ?? ''),
    session: { cookie },
    'ended session': { cookie: stale.cookie },
    'good token': bearer(GOOD_TOKEN),
    'token of the scheme token': { authorization: `token ${GOOD_TOKEN}` },
    'token as Basic password': basic('ann', GOOD_TOKEN),
    'token without the scope': bearer(WEAK_TOKEN),
    'revoked token': bearer(REVOKED_TOKEN),
    'unknown token': bearer('sk-unknown'),
    'login and password': basic('ann', 'password of ann'),
    'login in other case': basic('ANN', 'password of ann'),
    'wrong password': basic('ann', 'password of otto'),
    'unknown login': basic('nobody', 'password of ann'),
    'two-factor, no code': basic('otto', 'password of otto'),
    'two-factor, wrong code': { ...basic('otto', 'password of otto'), 'x-github-otp': 'no code' },
    'two-factor, code': { ...basic('otto', 'password of otto'), 'x-github-otp': otp },
    'client id and secret': basic(app.clientId ?? '', app.clientSecret ?? ''),
    'wrong client secret': basic(app.clientId ?? '', '0'.repeat(40)),
    'unknown client id': basic('0'.repeat(20), app.clientSecret ?? ''),
  };
}

test('a guard asks only for scopes of its own plugin, and for API keys it asks for one', async () => {
  const boot = (spec: GuardSpec) => bootTest({ plugins: [{ plugin: guarded({ wrong: spec }) }] });
  await assert.rejects(
    boot({ accepts: 'bearer' }),
    /"guarded" has a guard that takes API keys and asks for no/,
  );
  await assert.rejects(
    boot({ accepts: 'bearer', scope: 'manage' }),
    /"guarded" has a guard that asks for the scope "manage", which it does not declare/,
  );
});

test('two plugins that declare one scope are a problem of the config', async () => {
  const other = { ...guarded({}), name: 'other' };
  await assert.rejects(
    bootTest({ plugins: [{ plugin: guarded({}) }, { plugin: other }] }),
    /declares the scope "x", which "guarded" declares too/,
  );
});
