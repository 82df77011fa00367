import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { exportSPKI, SignJWT, UnsecuredJWT } from 'jose';
import { bootTest, type TestServer } from 'plugboard/testing';
import {
  AUDIENCE,
  ISSUER,
  KeyHost,
  seconds,
  signed,
  signingKey,
  type SigningKey,
} from '../../support/peers/token-issuer.js';
import { bearer, guarded, HOUR, outcome, temporaryFolder, TestClock, type GuardSpec } from './support.js';

const GUARDS: Readonly<Record<string, GuardSpec>> = {
  read: { accepts: 'bearer', scope: 'data:read' },
  write: { accepts: 'bearer', scope: 'data:write' },
  management: { accepts: 'management' },
  console: { accepts: 'management', scope: 'x' },
  user: { accepts: 'basicUser' },
};
const ROLES = { authenticated: ['data:read'], editor: ['data:write', 'x'], '*': ['y'] };

interface Started {
  readonly server: TestServer;
  readonly host: KeyHost;
  readonly key: SigningKey;
  readonly clock: TestClock;
  /** What a guard answers to a token. */
  visit(token: string, guard?: string): Promise<string>;
}

async function start(t: TestContext, issuer: object = {}, auth: object = {}): Promise<Started> {
  const key = await signingKey('one');
  const host = await KeyHost.start(t, [key]);
  const clock = new TestClock();
  const server = await bootTest({
    plugins: [{ plugin: guarded(GUARDS) }],
    auth: {
      issuers: [
        {
          name: 'app',
          issuer: ISSUER,
          audience: AUDIENCE,
          jwks: host.url,
          algorithms: ['ES256'],
          roles: ROLES,
          owner: 'web',
          ...issuer,
        },
      ],
      ...auth,
    },
    clock,
  });
  t.after(() => server.stop());
  // Tokens are signed by the time of the machine, of which a boot may have taken seconds.
  clock.advance(Date.now() - clock.now());
  const visit = async (token: string, guard = 'read'): Promise<string> =>
    outcome(await server.inject({ url: `/guarded/${guard}`, headers: bearer(token) }));
  return { server, host, key, clock, visit };
}

test('a person may do what the config grants the roles of the token, and no more', async (t) => {
  const { key, visit } = await start(t);
  const reader = await signed(key, { role: 'authenticated' });
  const editor = await signed(key, { role: ['authenticated', 'editor'] });
  const stranger = await signed(key, { role: 'service_role' });
  assert.deepEqual(await Promise.all([reader, editor, stranger].map((token) => visit(token, 'read'))), [
    '200 person',
    '200 person',
    '403 insufficient_scope',
  ]);
  assert.deepEqual(await Promise.all([reader, editor].map((token) => visit(token, 'write'))), [
    '403 insufficient_scope',
    '200 person',
  ]);
  assert.deepEqual(
    await Promise.all(['console', 'management', 'user'].map((guard) => visit(editor, guard))),
    ['200 person', '403 insufficient_scope', '401 credential_not_accepted'],
  );
});

test('a person is known by issuer and subject, with the claims and the tenant', async (t) => {
  const { server, key } = await start(t, { role: 'app_metadata."the role"' });
  const token = await signed(key, { app_metadata: { 'the role': 'authenticated' }, team: 7 });
  const person = (await server.inject({ url: '/guarded/read', headers: bearer(token) })).json<{
    claims: Record<string, unknown>;
  }>();
  const { claims, ...rest } = person;
  assert.equal(claims['team'], 7);
  assert.deepEqual(rest, {
    kind: 'person',
    id: 'app|ann',
    issuer: 'app',
    subject: 'ann',
    owner: 'web',
    roles: ['authenticated'],
    scopes: ['data:read', 'y'],
  });
});

test('tokens that RFC 8725 warns of are refused with 401', async (t) => {
  const { host, key, visit } = await start(t);
  const role = 'authenticated';
  const other = await signingKey('one');
  const spki = await exportSPKI(key.publicKey);
  const hs256 = new SignJWT({ iss: ISSUER, aud: AUDIENCE, sub: 'ann', role, exp: seconds() + 60 })
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .sign(Buffer.from(spki));
  const good = await signed(key, { role });
  const [head = '', body = ''] = good.split('.');
  const swapped = Buffer.from(JSON.stringify({ alg: 'HS256', kid: 'one' })).toString('base64url');
  const mac = createHmac('sha256', spki).update(`${swapped}.${body}`).digest('base64url');
  const before = host.requests;
  const bad: Readonly<Record<string, string>> = {
    none: new UnsecuredJWT({ iss: ISSUER, aud: AUDIENCE, sub: 'ann', role, exp: seconds() + 60 }).encode(),
    'HS256 with the public key': await hs256,
    'HS256 by hand': `${swapped}.${body}.${mac}`,
    'signed by another key of the same id': await signed(other, { role }),
    'no signature': `${head}.${body}.`,
    'wrong audience': await signed(key, { role, aud: 'other' }),
    'no audience': await signed(key, { role, aud: undefined }),
    'wrong issuer': await signed(key, { role, iss: `${ISSUER}/` }),
    'unknown crit': await signed(key, { role }, { crit: ['x'], x: 1 }).catch(() => `${head}x.${body}.e30`),
    'key id elsewhere': await signed(key, { role }, { kid: '../../etc/passwd' }),
    'its own key set': await signed(other, { role }, { jku: host.url, kid: 'other' }),
    'its own key': await signed(other, { role }, { jwk: other.jwk, kid: 'other' }),
    nested: await new SignJWT({ iss: ISSUER, aud: AUDIENCE, sub: good, role, exp: seconds() + 60 })
      .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'JWT', cty: 'JWT' })
      .sign(other.privateKey),
    expired: await signed(key, { role, exp: seconds() - 60 }),
    'not yet valid': await signed(key, { role, nbf: seconds() + 600 }),
    'from the future': await signed(key, { role, iat: seconds() + 600 }),
    'no expiry': await signed(key, { role, exp: undefined }),
    'no subject': await signed(key, { role, sub: undefined }),
    'empty subject': await signed(key, { role, sub: '' }),
    'long subject': await signed(key, { role, sub: 'a'.repeat(300) }),
    'a logout token': await signed(key, { role }, { typ: 'logout+jwt' }),
    '100 kB': await signed(key, { role, filler: 'x'.repeat(100_000) }),
    'cut short': good.slice(0, -4),
    'two parts': `${head}.${body}`,
  };
  for (const [name, token] of Object.entries(bad))
    assert.match(await visit(token), /^401 (token_refused|invalid_api_key)$/, name);
  assert.equal(await visit(good), '200 person');
  assert.ok(host.requests - before <= 1, 'an unknown key id causes one read of the keys at most');
});

test('a provider without audience is held to its authorized party', async (t) => {
  const { key, visit } = await start(t, { audience: undefined, authorizedParty: ['https://app.example'] });
  const role = 'authenticated';
  assert.equal(await visit(await signed(key, { role, azp: 'https://app.example' })), '200 person');
  assert.equal(await visit(await signed(key, { role, azp: 'https://evil.example' })), '401 token_refused');
  assert.equal(await visit(await signed(key, { role })), '401 token_refused');
});

test('a token that was taken before is refused once it has expired', async (t) => {
  const { key, clock, visit } = await start(t);
  const token = await signed(key, { role: 'authenticated' });
  assert.equal(await visit(token), '200 person');
  clock.advance(HOUR + 10_000);
  assert.equal(await visit(token), '401 token_refused');
});

test('a key that is rotated in is taken with its first token, and one that is rotated out opens nothing', async (t) => {
  const { key, host, clock, visit } = await start(t);
  const role = 'authenticated';
  const old = await signed(key, { role });
  assert.equal(await visit(old), '200 person');
  const next = await signingKey('two');
  host.keys = [next];
  clock.advance(60_000);
  const fresh = await signed(next, { role });
  assert.deepEqual(
    await Promise.all(Array.from({ length: 20 }, () => visit(fresh))),
    Array(20).fill('200 person'),
  );
  assert.equal(host.requests, 2, 'all who wait share one read');
  assert.equal(await visit(old), '401 token_refused');
});

test('while the host of the keys is down, known keys go on for as long as it takes and unknown ones are 503', async (t) => {
  const { key, host, clock, visit } = await start(t);
  const role = 'authenticated';
  const day = { role, exp: seconds() + 86_400 };
  assert.equal(await visit(await signed(key, { ...day, jti: '1' })), '200 person');
  host.state = 'failing';
  clock.advance(HOUR);
  const unknown = await signed(await signingKey('two'), day);
  assert.equal(await visit(unknown), '503 issuer_unavailable');
  const { requests } = host;
  assert.equal(await visit(unknown), '503 issuer_unavailable');
  assert.equal(host.requests, requests, 'nobody asks again before the back-off has passed');
  assert.equal(await visit(await signed(key, { ...day, jti: '2' })), '200 person');
});

test('a host that hangs is waited for by nobody with a known key', async (t) => {
  const { key, host, clock, visit } = await start(t);
  const day = { role: 'authenticated', exp: seconds() + 86_400 };
  assert.equal(await visit(await signed(key, { ...day, jti: '1' })), '200 person');
  host.state = 'hanging';
  clock.advance(HOUR);
  const waiting = visit(await signed(await signingKey('two'), day));
  assert.equal(await visit(await signed(key, { ...day, jti: '2' })), '200 person');
  host.stop();
  assert.equal(await waiting, '503 issuer_unavailable');
});

test('keys come from a file next to the config, or from a shared secret', async (t) => {
  const folder = await temporaryFolder(t);
  const key = await signingKey('one');
  await writeFile(join(folder, 'keys.json'), JSON.stringify({ keys: [key.jwk] }));
  const ofFile = await start(t, { jwks: join(folder, 'keys.json') });
  assert.equal(await ofFile.visit(await signed(key, { role: 'authenticated' })), '200 person');

  const secret = 'a secret of thirty-two bytes, at least';
  const ofSecret = await start(t, { jwks: undefined, secret, algorithms: ['HS256'] });
  const token = await new SignJWT({
    iss: ISSUER,
    aud: AUDIENCE,
    sub: 'ann',
    role: 'authenticated',
    exp: seconds() + 60,
  })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(Buffer.from(secret));
  assert.equal(await ofSecret.visit(token), '200 person');
});

test('a token with a key of an application is a call of the person, if both are valid', async (t) => {
  const { server, key } = await start(t);
  const apikey = await server.key('y');
  const token = await signed(key, { role: 'authenticated' });
  const call = async (headers: Record<string, string>): Promise<string> =>
    outcome(await server.inject({ url: '/guarded/read', headers }));
  assert.equal(await call({ apikey, ...bearer(token) }), '200 person');
  assert.equal(await call({ apikey: `pb_${'x'.repeat(43)}`, ...bearer(token) }), '401 invalid_api_key');
  assert.equal(await call({ apikey, ...bearer(apikey) }), '403 insufficient_scope');
});

test('a bearer token that nobody knows gives way to a good key in X-API-Key', async (t) => {
  const { server } = await start(t);
  const good = { 'x-api-key': await server.key('data:read') };
  const call = async (authorization: string, headers: Record<string, string> = good): Promise<string> =>
    outcome(await server.inject({ url: '/guarded/read', headers: { authorization, ...headers } }));
  for (const bad of ['Bearer sk-unused', `Bearer pb_${'x'.repeat(43)}`, 'Bearer ', 'nonsense'])
    assert.equal(await call(bad), '200 key', bad);
  const unknown = `pb_${'y'.repeat(43)}`;
  assert.equal(await call(`Bearer pb_${'x'.repeat(43)}`, { 'x-api-key': unknown }), '401 invalid_api_key');
  assert.equal(await call('nonsense', { 'x-api-key': unknown }), '401 invalid_api_key');
});

test('callers without a credential may do what the config grants them', async (t) => {
  const { server } = await start(t, {}, { anonymous: { scopes: ['data:read'] } });
  const visit = async (guard: string): Promise<string> =>
    outcome(await server.inject({ url: `/guarded/${guard}` }));
  assert.deepEqual(await Promise.all(['read', 'write', 'management'].map(visit)), [
    '200 anonymous',
    '401 missing_credentials',
    '401 missing_credentials',
  ]);
});

test('a config that would take tokens it should not is refused with the place', async () => {
  const issuer = {
    name: 'app',
    issuer: ISSUER,
    audience: AUDIENCE,
    jwks: 'https://x.example/k',
    algorithms: ['ES256'],
  };
  const cases: readonly (readonly [object, RegExp])[] = [
    [{ audience: undefined }, /needs "audience", or "authorizedParty"/],
    [{ algorithms: ['HS256'] }, /"HS256" needs a shared "secret"/],
    [{ jwks: undefined }, /needs "jwks" or "secret"/],
    [{ jwks: undefined, secret: 's'.repeat(32) }, /"ES256" needs public keys/],
    [{ jwks: undefined, secret: 's'.repeat(32), algorithms: ['HS512'] }, /at least 64 bytes/],
    [{ algorithms: ['none'] }, /algorithms/],
    [{ roles: { admin: ['manage'] } }, /"manage" opens the management of the server/],
    [{ roles: { admin: ['*'] } }, /"\*" opens the management of the server/],
    [{ roles: { admin: ['data:raed'] } }, /unknown scope "data:raed"; did you mean "data:read"/],
    [{ role: 'a..b' }, /empty or unclosed name/],
    [{ role: 'a."b' }, /empty or unclosed name/],
  ];
  for (const [change, message] of cases)
    await assert.rejects(
      bootTest({ plugins: [{ plugin: guarded(GUARDS) }], auth: { issuers: [{ ...issuer, ...change }] } }),
      message,
    );
  await assert.rejects(
    bootTest({ plugins: [{ plugin: guarded(GUARDS) }], auth: { anonymous: { scopes: ['*'] } } }),
    /"\*" opens the management of the server/,
  );
});
