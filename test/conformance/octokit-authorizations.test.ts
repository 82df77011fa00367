/** `@octokit/rest` 16.43.2, the last with these methods, unmodified over a socket. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Octokit16 } from '../support/peers/octokit-16.js';
import { totp } from '../support/totp.js';
import {
  authorizationServer,
  PASSWORD,
  type AuthorizationServer,
} from '../plugins/authorizations/support.js';

let server: AuthorizationServer;
let baseUrl: string;
let user: Octokit16;
let application: Octokit16;
before(async () => {
  server = await authorizationServer();
  baseUrl = await server.listen();
  const { clientId, clientSecret } = server.bot;
  const on2fa = () => Promise.reject(new Error('no code is asked for'));
  user = new Octokit16({ baseUrl, auth: { username: 'ann', password: PASSWORD, on2fa } });
  application = new Octokit16({ baseUrl, auth: { clientId, clientSecret } });
});
after(() => server.stop());

test('create, get, list, update and delete an authorization', async () => {
  const {
    data: made,
    status,
    headers,
  } = await user.oauthAuthorizations.createAuthorization({
    note: 'octokit',
    scopes: ['repo'],
    note_url: 'https://ann.example',
  });
  assert.equal(status, 201);
  assert.equal(headers.location, made.url);
  const { id: authorization_id } = made;
  assert.deepEqual((await user.oauthAuthorizations.getAuthorization({ authorization_id })).data, made);
  const { data: updated } = await user.oauthAuthorizations.updateAuthorization({
    authorization_id,
    add_scopes: ['gist'],
  });
  assert.deepEqual(updated.scopes, ['repo', 'gist']);
  const { data: all } = await user.oauthAuthorizations.listAuthorizations();
  assert.deepEqual(all, [updated]);
  assert.equal((await user.oauthAuthorizations.deleteAuthorization({ authorization_id })).status, 204);
  await assert.rejects(user.oauthAuthorizations.getAuthorization({ authorization_id }), {
    status: 404,
    message: 'Not Found',
  });
});

test('paginate follows every page', async () => {
  for (let at = 0; at < 5; at += 1)
    await user.oauthAuthorizations.createAuthorization({ note: `page ${at}` });
  const all = (await user.paginate('GET /authorizations', { per_page: 2 })) as { note: string }[];
  assert.deepEqual(
    all.map(({ note }) => note).filter((note) => note.startsWith('page')),
    ['page 0', 'page 1', 'page 2', 'page 3', 'page 4'],
  );
});

test('get or create for an application, with and without a fingerprint', async () => {
  const { clientId: client_id, clientSecret: client_secret } = server.bot;
  const methods = user.oauthAuthorizations;
  const first = await methods.getOrCreateAuthorizationForApp({ client_id, client_secret, scopes: ['gist'] });
  const again = await methods.getOrCreateAuthorizationForApp({ client_id, client_secret });
  assert.deepEqual([first.status, again.status], [201, 200]);
  assert.deepEqual(again.data, first.data);
  const printed = { client_id, client_secret, fingerprint: 'fp/1' };
  const third = await methods.getOrCreateAuthorizationForAppAndFingerprint(printed);
  assert.equal(third.status, 201);
  assert.equal((await methods.getOrCreateAuthorizationForAppAndFingerprint(printed)).data.id, third.data.id);
});

test('check, reset and revoke a token as the application', async () => {
  const { clientId: client_id, clientSecret: client_secret } = server.bot;
  const { data: made } = await user.oauthAuthorizations.getOrCreateAuthorizationForApp({
    client_id,
    client_secret,
  });
  const token = { client_id, access_token: made.token };
  const checked = await application.oauthAuthorizations.checkAuthorization(token);
  assert.equal(checked.data.user.login, 'ann');
  const { data: reset } = await application.oauthAuthorizations.resetAuthorization(token);
  assert.equal(reset.id, made.id);
  await assert.rejects(application.oauthAuthorizations.checkAuthorization(token), { status: 404 });
  const next = { client_id, access_token: reset.token };
  assert.equal((await application.oauthAuthorizations.revokeAuthorizationForApplication(next)).status, 204);
  await assert.rejects(application.oauthAuthorizations.revokeAuthorizationForApplication(next), {
    status: 404,
  });
});

test('revoke all tokens of the application', async () => {
  const { clientId: client_id, clientSecret: client_secret } = server.bot;
  const { data } = await user.oauthAuthorizations.getOrCreateAuthorizationForApp({
    client_id,
    client_secret,
  });
  // For this path the client has no method, and sends an application's credentials by Basic in this form alone.
  const on2fa = () => Promise.reject(new Error('no code is asked for'));
  const asBasic = new Octokit16({ baseUrl, auth: { username: client_id, password: client_secret, on2fa } });
  const answer = await asBasic.request('DELETE /applications/:client_id/tokens', { client_id });
  assert.equal(answer.status, 204);
  const token = { client_id, access_token: data.token };
  await assert.rejects(application.oauthAuthorizations.checkAuthorization(token), { status: 404 });
});

test('a token as credential opens other routes, and these by no means', async () => {
  const { data } = await user.oauthAuthorizations.createAuthorization({ note: 'as a credential' });
  const withToken = new Octokit16({ baseUrl, auth: data.token });
  assert.equal((await withToken.request('GET /mine')).status, 200);
  await assert.rejects(withToken.oauthAuthorizations.listAuthorizations(), {
    status: 403,
    message: 'This API can only be accessed with username and password Basic Auth',
  });
});

test('with two factors the client is asked for a code, sends it, and reads when it is wrong', async () => {
  await server.command(['users', 'create', 'olga', '--password-stdin'], `${PASSWORD}\n`);
  const { stdout } = await server.command(['users', 'otp', 'olga', '--json']);
  const { secret } = JSON.parse(stdout) as { secret: string };
  let asked = 0;
  const client = (code: () => string) =>
    new Octokit16({
      baseUrl,
      auth: {
        username: 'olga',
        password: PASSWORD,
        on2fa: () => {
          asked += 1;
          return Promise.resolve(code());
        },
      },
    });
  const right = client(() => totp(secret, server.clock.time));
  const made = await right.oauthAuthorizations.createAuthorization({ note: 'with a code' });
  assert.deepEqual([made.status, asked], [201, 1]);
  const wrong = client(() => '000000');
  await assert.rejects(wrong.oauthAuthorizations.listAuthorizations(), /Invalid one-time password/);
});

test('a login that failed too often is locked, also with the right password', async () => {
  await server.command(['users', 'create', 'locked', '--password-stdin'], `${PASSWORD}\n`);
  const on2fa = () => Promise.resolve('');
  const as = (password: string) =>
    new Octokit16({
      baseUrl,
      auth: { username: 'locked', password, on2fa },
    }).oauthAuthorizations.listAuthorizations();
  let refused: { status?: number; message?: string } = {};
  for (let time = 0; time < 40 && refused.status !== 403; time += 1)
    refused = (await as('wrong').catch((error: unknown) => error)) as typeof refused;
  assert.deepEqual(
    [refused.status, refused.message],
    [403, 'Maximum number of login attempts exceeded. Please try again later.'],
  );
  await assert.rejects(as(PASSWORD), { status: 403 });
});
