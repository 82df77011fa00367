/** `@octokit/auth-oauth-app` 9 and `@octokit/auth-oauth-device` 8, unmodified over a socket. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createOAuthAppAuth } from '@octokit/auth-oauth-app';
import { createOAuthDeviceAuth } from '@octokit/auth-oauth-device';
import { Octokit } from '@octokit/rest';
import { ANN, authorizationServer, type AuthorizationServer } from '../plugins/authorizations/support.js';

let server: AuthorizationServer;
let baseUrl: string;
before(async () => {
  server = await authorizationServer();
  baseUrl = await server.listen();
});
after(() => server.stop());

/** What the page does when a person clicks. */
async function click(path: string, body: object): Promise<Record<string, unknown>> {
  const { status, body: answer } = await server.call('POST', path, ANN, body);
  assert.equal(status, 200, JSON.stringify(answer));
  return answer;
}

test('the web flow of auth-oauth-app gets a token with the scopes that the user allowed', async () => {
  const { clientId, clientSecret } = server.bot;
  const { location } = await click('/login/oauth/authorize', {
    client_id: clientId,
    redirect_uri: 'https://a.example/back',
    scope: 'repo,user',
    state: 'kept',
    decision: 'allow',
  });
  const { origin, pathname, searchParams } = new URL(String(location));
  assert.deepEqual([origin, pathname, searchParams.get('state')], ['https://a.example', '/back', 'kept']);
  const auth = createOAuthAppAuth({ clientId, clientSecret, request: new Octokit({ baseUrl }).request });
  const code = searchParams.get('code') ?? '';
  const { token, scopes } = await auth({ type: 'oauth-user', code });
  assert.deepEqual(scopes, ['repo', 'user']);
  const mine = await new Octokit({ baseUrl, auth: token }).request('GET /mine');
  assert.equal((mine.data as { user: { login: string } }).user.login, 'ann');
  assert.equal(mine.headers['x-oauth-scopes'], 'repo, user');
  await assert.rejects(auth({ type: 'oauth-user', code }), /incorrect or expired\. \(bad_verification_code/);
});

test('the device flow of auth-oauth-device waits for the user and gets a token', async () => {
  const { clientId } = server.bot;
  let shown = '';
  const auth = createOAuthDeviceAuth({
    clientType: 'oauth-app',
    clientId,
    scopes: ['gist', 'repo'],
    request: new Octokit({ baseUrl }).request,
    async onVerification({ user_code: userCode, verification_uri: page }) {
      shown = page;
      const answer = await fetch(page);
      assert.match(await answer.text(), /Enter the code that your device shows/);
      const asked = await click('/login/device', { user_code: userCode.toLowerCase() });
      assert.deepEqual(asked, { application: 'Bot', scopes: ['gist', 'repo'], state: 'waiting' });
      const decided = await click('/login/device', { user_code: userCode, decision: 'allow' });
      assert.equal(decided['state'], 'allowed');
    },
  });
  const { token, scopes } = await auth({ type: 'oauth' });
  assert.equal(shown, `${baseUrl}/login/device`);
  assert.deepEqual(scopes, ['gist', 'repo']);
  assert.equal((await new Octokit({ baseUrl, auth: token }).request('GET /gists')).status, 200);
});
