/** Tokens by the web and the device flow: what is given to whom, once, and what is told to nobody. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { eachStore } from '../../support/stores.js';
import { ANN, authorizationServer, basic, BEN, type AuthorizationServer } from './support.js';

const JSON_WANTED = { accept: 'application/json' };
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code';

eachStore('oauth', (store) => {
  let server: AuthorizationServer;
  before(async () => {
    server = await authorizationServer({ storage: await store.fresh() });
  });
  after(() => server.stop());

  const authorize = (more: object, credential = ANN) =>
    server.call<{ location: string; message?: string }>('POST', '/login/oauth/authorize', credential, {
      client_id: server.bot.clientId,
      decision: 'allow',
      ...more,
    });
  const codeFor = async (more: object = {}): Promise<string> => {
    const { body } = await authorize(more);
    return new URL(body.location).searchParams.get('code') ?? '';
  };
  const exchange = (body: object) =>
    server.call<Record<string, string>>('POST', '/login/oauth/access_token', undefined, body, JSON_WANTED);
  const asBot = () => ({ client_id: server.bot.clientId, client_secret: server.bot.clientSecret });

  test('a code works once, for its application, with the secret', async () => {
    const code = await codeFor({ scope: 'repo' });
    const wrong = await exchange({ ...asBot(), client_secret: 'x', code });
    assert.deepEqual([wrong.status, wrong.body['error']], [200, 'incorrect_client_credentials']);
    const made = await exchange({ ...asBot(), code });
    assert.deepEqual([made.body['token_type'], made.body['scope']], ['bearer', 'repo']);
    assert.equal(made.headers['cache-control'], 'no-store');
    assert.equal((await server.call('GET', '/mine', `token ${made.body['access_token']}`)).status, 200);
    assert.equal((await exchange({ ...asBot(), code })).body['error'], 'bad_verification_code');
    const others = {
      client_id: server.otherApp.clientId,
      client_secret: server.otherApp.clientSecret,
    };
    const stolen = await exchange({ ...others, code: await codeFor() });
    assert.equal(stolen.body['error'], 'bad_verification_code');
  });

  test('twenty that exchange one code at once get one token', async () => {
    const code = await codeFor();
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange({ ...asBot(), code })));
    assert.equal(answers.filter(({ body }) => body['access_token'] !== undefined).length, 1);
  });

  test('a code challenge needs its verifier, and plain ones are refused', async () => {
    const verifier = randomBytes(32).toString('base64url');
    const code_challenge = createHash('sha256').update(verifier).digest('base64url');
    const asked = { code_challenge, code_challenge_method: 'S256' };
    const without = await exchange({ ...asBot(), code: await codeFor(asked) });
    assert.equal(without.body['error'], 'bad_verification_code');
    const made = await exchange({ ...asBot(), code: await codeFor(asked), code_verifier: verifier });
    assert.equal(made.body['token_type'], 'bearer');
    const plain = await authorize({ code_challenge, code_challenge_method: 'plain' });
    assert.match(plain.body.location, /error=invalid_request/);
  });

  test('a code expires after ten minutes', async () => {
    const code = await codeFor();
    server.clock.time += 601_000;
    assert.equal((await exchange({ ...asBot(), code })).body['error'], 'bad_verification_code');
  });

  test('nobody is sent to an address that is not the application’s own', async () => {
    for (const redirect_uri of [
      'https://evil.example/back',
      'https://a.example.evil.example/',
      'https://a.example@evil.example/',
      'http://a.example/',
      'javascript:alert(1)',
      'nonsense',
    ]) {
      const posted = await authorize({ redirect_uri });
      assert.deepEqual([posted.status, posted.body.location], [422, undefined], redirect_uri);
      const query = new URLSearchParams({ client_id: server.bot.clientId, redirect_uri }).toString();
      const page = await server.inject({ method: 'GET', url: `/login/oauth/authorize?${query}` });
      assert.deepEqual([page.statusCode, page.headers.location], [400, undefined], redirect_uri);
    }
    const unknown = await server.inject({ method: 'GET', url: '/login/oauth/authorize?client_id=nobody' });
    assert.equal(unknown.statusCode, 400);
  });

  test('a denial and a scope that is not known are told to the application with its state', async () => {
    const denied = await authorize({ decision: 'deny', state: 's&t' });
    const { searchParams } = new URL(denied.body.location);
    assert.deepEqual([searchParams.get('error'), searchParams.get('state')], ['access_denied', 's&t']);
    assert.match((await authorize({ scope: 'repo all' })).body.location, /error=invalid_scope/);
  });

  test('only a user decides: a wrong password, a token and nobody are refused', async () => {
    const { body } = await exchange({ ...asBot(), code: await codeFor() });
    for (const credential of [basic('ann', 'wrong'), `token ${body['access_token']}`, '']) {
      const { status } = await authorize({}, credential);
      assert.ok(status === 401 || status === 403, `${credential.slice(0, 6)} ${status}`);
    }
  });

  test('the page shows hostile names as text, may not be framed and is kept by no cache', async () => {
    const state = '"><script>alert(1)</script>';
    const query = new URLSearchParams({ client_id: server.bot.clientId, scope: 'repo', state }).toString();
    const page = await server.inject({ method: 'GET', url: `/login/oauth/authorize?${query}` });
    assert.equal(page.statusCode, 200);
    assert.ok(!page.body.includes('<script>alert'), page.body);
    assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'/);
    assert.equal(page.headers['cache-control'], 'no-store');
    for (const file of ['consent.js', 'consent.css'])
      assert.equal((await server.inject({ method: 'GET', url: `/login/oauth/${file}` })).statusCode, 200);
  });

  test('answers are a form unless JSON or XML is asked for, and forms are taken', async () => {
    const started = await server.inject({
      method: 'POST',
      url: '/login/device/code',
      headers: { host: 'localhost', 'content-type': 'application/x-www-form-urlencoded' },
      payload: `client_id=${server.bot.clientId}&scope=repo%20read%3Aorg`,
    });
    assert.match(String(started.headers['content-type']), /^application\/x-www-form-urlencoded/);
    const form = new URLSearchParams(started.body);
    assert.match(form.get('user_code') ?? '', /^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/);
    assert.deepEqual([form.get('expires_in'), form.get('interval')], ['900', '5']);
    const xml = await server.inject({
      method: 'POST',
      url: '/login/oauth/access_token',
      headers: { host: 'localhost', accept: 'application/xml', 'content-type': 'application/json' },
      payload: '{}',
    });
    assert.match(xml.body, /<OAuth><error>incorrect_client_credentials<\/error>/);
  });

  const start = async () =>
    (
      await server.call<{ device_code: string; user_code: string }>(
        'POST',
        '/login/device/code',
        undefined,
        { client_id: server.bot.clientId, scope: 'gist' },
        JSON_WANTED,
      )
    ).body;
  const poll = async (device_code: string) =>
    (await exchange({ client_id: server.bot.clientId, device_code, grant_type: DEVICE })).body;
  const enter = (user_code: string, decision?: string, credential = ANN) =>
    server.call<{ state?: string }>('POST', '/login/device', credential, {
      user_code,
      ...(decision !== undefined && { decision }),
    });

  test('a device waits, is slowed down when it hurries, and gets one token', async () => {
    const { device_code: code, user_code: typed } = await start();
    assert.equal((await poll(code))['error'], 'authorization_pending');
    const hurried = await poll(code);
    assert.deepEqual([hurried['error'], hurried['interval']], ['slow_down', 10]);
    assert.equal((await enter(` ${typed.replace('-', ' ').toLowerCase()}`)).body.state, 'waiting');
    assert.equal((await enter(typed, 'allow')).body.state, 'allowed');
    const answers = await Promise.all([poll(code), poll(code), poll(code)]);
    assert.equal(answers.filter((answer) => answer['access_token'] !== undefined).length, 1);
    assert.equal((await enter(typed, 'allow', BEN)).status, 404);
  });

  test('a device is told that it was denied, and that its code has expired', async () => {
    const denied = await start();
    await enter(denied.user_code, 'deny');
    assert.equal((await poll(denied.device_code))['error'], 'access_denied');
    const late = await start();
    server.clock.time += 901_000;
    assert.equal((await enter(late.user_code, 'allow')).status, 404);
    assert.equal((await poll(late.device_code))['error'], 'expired_token');
    assert.equal((await poll('0'.repeat(40)))['error'], 'incorrect_device_code');
    const other = { client_id: server.bot.clientId, device_code: late.device_code, grant_type: 'password' };
    assert.equal((await exchange(other)).body['error'], 'unsupported_grant_type');
  });

  test('a user who guesses codes is stopped after twenty, another one is not', async () => {
    // Another window than that of the tests before.
    server.clock.time += 1_800_000;
    const { user_code: real } = await start();
    const guesses = await Promise.all(Array.from({ length: 30 }, () => enter('BBBB-BBBB')));
    assert.equal(guesses.filter(({ status }) => status === 404).length, 20, 'also of many at once');
    assert.equal((await enter(real, 'allow')).status, 403);
    assert.equal((await enter(real, 'allow', BEN)).body.state, 'allowed');
  });
});
