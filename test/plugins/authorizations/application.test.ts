import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { JOBS, STORAGE } from 'plugboard/sdk';
import { eventually } from '../../support/eventually.js';
import { eachStore } from '../../support/stores.js';
import { ANN, authorizationServer, basic, BEN, type App, type AuthorizationServer } from './support.js';

interface Shown {
  readonly id: number;
  readonly token: string;
  readonly scopes: string[];
  readonly updated_at: string;
  readonly user: { readonly login: string; readonly following_url: string };
}

eachStore('tokens of applications', (store) => {
  let server: AuthorizationServer;
  before(async () => {
    server = await authorizationServer({ storage: await store.fresh() });
  });
  after(() => server.stop());

  const asApp = ({ clientId, clientSecret }: App) => basic(clientId, clientSecret);
  const tokenFor = async (app: App, who = ANN): Promise<Shown> => {
    const body = {
      note: 'for the app',
      scopes: ['gist'],
      client_id: app.clientId,
      client_secret: app.clientSecret,
    };
    const made = await server.call<Shown>('POST', '/authorizations', who, body);
    assert.equal(made.status, 201);
    return made.body;
  };
  const at = (app: App, token: string) => `/applications/${app.clientId}/tokens/${token}`;

  test('checking answers the authorization with its user, uncached', async () => {
    const made = await tokenFor(server.bot);
    const { status, body, headers } = await server.call<Shown>(
      'GET',
      at(server.bot, made.token),
      asApp(server.bot),
    );
    assert.equal(status, 200);
    const { user, ...rest } = body;
    assert.deepEqual(rest, made);
    assert.equal(user.login, 'ann');
    assert.equal(user.following_url, 'http://localhost/users/ann/following{/other_user}');
    assert.equal(headers['cache-control'], 'private, no-store');
  });

  test('a token that is not valid, and one of another application, is a 404', async () => {
    const { token } = await tokenFor(server.otherApp);
    const personal = await server.call<Shown>('POST', '/authorizations', ANN, { note: 'personal' });
    for (const unknown of [token, personal.body.token, '0'.repeat(40), 'short'])
      for (const method of ['GET', 'POST', 'DELETE'])
        assert.equal((await server.call(method, at(server.bot, unknown), asApp(server.bot))).status, 404);
    const path = `/applications/${server.otherApp.clientId}/tokens`;
    assert.equal((await server.call('GET', `${path}/${token}`, asApp(server.bot))).status, 404);
    assert.equal((await server.call('DELETE', path, asApp(server.bot))).status, 404);
    assert.equal((await server.call('GET', at(server.otherApp, token), asApp(server.otherApp))).status, 200);
  });

  test('wrong credentials of an application are a 401, however often', async () => {
    for (let time = 0; time < 12; time += 1) {
      const answer = await server.call(
        'GET',
        at(server.bot, '0'.repeat(40)),
        basic(server.bot.clientId, 'wrong'),
      );
      assert.deepEqual([answer.status, answer.body['message']], [401, 'Bad credentials']);
    }
    const invalid = await server.call('GET', at(server.bot, '0'.repeat(40)), asApp(server.bot));
    assert.equal(invalid.status, 404);
    assert.equal((await server.call('GET', '/authorizations', ANN)).status, 200);
  });

  test('a reset gives the same authorization another token at once', async () => {
    const made = await tokenFor(server.bot);
    server.clock.time += 5000;
    const { body: reset } = await server.call<Shown>('POST', at(server.bot, made.token), asApp(server.bot));
    assert.deepEqual([reset.id, reset.scopes, reset.user.login], [made.id, made.scopes, 'ann']);
    assert.notEqual(reset.token, made.token);
    assert.notEqual(reset.updated_at, made.updated_at);
    assert.equal((await server.call('GET', at(server.bot, made.token), asApp(server.bot))).status, 404);
    assert.equal((await server.call('GET', at(server.bot, reset.token), asApp(server.bot))).status, 200);
    const listed = await server.call<Shown>('GET', `/authorizations/${made.id}`, ANN);
    assert.equal(listed.body.token, reset.token);
  });

  test('of many resets at once one succeeds', async () => {
    const { token } = await tokenFor(server.bot);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => server.call('POST', at(server.bot, token), asApp(server.bot))),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array<number>(7).fill(404)]);
  });

  test('a revoked token is gone', async () => {
    const { token } = await tokenFor(server.bot);
    assert.equal((await server.call('DELETE', at(server.bot, token), asApp(server.bot))).status, 204);
    assert.equal((await server.call('DELETE', at(server.bot, token), asApp(server.bot))).status, 404);
  });

  test('the routes with the token in the body do the same', async () => {
    const path = `/applications/${server.bot.clientId}/token`;
    const { token } = await tokenFor(server.bot);
    const call = (method: string, access_token: string) =>
      server.call<Shown>(method, path, asApp(server.bot), { access_token });
    assert.equal((await call('POST', token)).status, 200);
    const { body } = await call('PATCH', token);
    assert.equal((await call('DELETE', token)).status, 404);
    assert.equal((await call('DELETE', body.token)).status, 204);
  });

  test('a token opens the routes of other plugins with its scopes, in every form', async () => {
    const { token } = await tokenFor(server.bot);
    const forms = [
      `token ${token}`,
      `Bearer ${token}`,
      `bearer ${token}`,
      basic(token, 'x-oauth-basic'),
      basic(token, ''),
      basic('ann', token),
    ];
    for (const form of forms) {
      const { status, body } = await server.call('GET', '/mine', form);
      assert.equal(status, 200, form);
      assert.deepEqual([body['via'], body['scopes']], ['token', ['gist']]);
    }
    assert.equal((await server.call('GET', '/gists', `token ${token}`)).status, 200);
    const without = await server.call<Shown>('POST', '/authorizations', ANN, { note: 'no scopes' });
    assert.equal((await server.call('GET', '/gists', `token ${without.body.token}`)).status, 403);
    assert.equal((await server.call('GET', '/mine', `token ${'0'.repeat(40)}`)).status, 401);
  });

  test('an answer to a token says what it may do and what the route asks for, also when it refuses; one to a password does not', async () => {
    const scopesOf = async (path: string, credential: string): Promise<unknown[]> => {
      const { status, headers } = await server.call('GET', path, credential);
      return [status, headers['x-oauth-scopes'], headers['x-accepted-oauth-scopes']];
    };
    const body = { note: 'told', scopes: ['repo', 'user'] };
    const { token } = (await server.call<Shown>('POST', '/authorizations', ANN, body)).body;
    assert.deepEqual(await scopesOf('/mine', `token ${token}`), [200, 'repo, user', '']);
    assert.deepEqual(await scopesOf('/gists', basic(token, '')), [403, 'repo, user', 'gist']);
    assert.deepEqual(await scopesOf('/authorizations', ANN), [200, undefined, undefined]);
  });

  test('revoking all refuses every token of the application at once, and a job deletes them', async () => {
    const mine = await tokenFor(server.otherApp);
    const others = await tokenFor(server.otherApp, BEN);
    const kept = await tokenFor(server.bot);
    const { clientId, clientSecret: client_secret } = server.otherApp;
    const path = `/applications/${clientId}/tokens`;
    const put = () =>
      server.call<Shown>('PUT', `/authorizations/clients/${clientId}`, ANN, { client_secret });
    const before = await put();
    assert.equal((await server.call('DELETE', path, asApp(server.otherApp))).status, 204);
    for (const { token } of [mine, others, before.body]) {
      assert.equal((await server.call('GET', '/mine', `token ${token}`)).status, 401);
      assert.equal(
        (await server.call('GET', at(server.otherApp, token), asApp(server.otherApp))).status,
        404,
      );
    }
    assert.equal((await server.call('GET', '/mine', `token ${kept.token}`)).status, 200);
    assert.equal((await server.call('GET', `/authorizations/${mine.id}`, ANN)).status, 404);
    const listed = await server.call<Shown[]>('GET', '/authorizations?per_page=100', ANN);
    assert.ok(!listed.body.some(({ id }) => id === mine.id));
    const after = await put();
    assert.equal(after.status, 201);
    assert.equal((await server.call('GET', '/mine', `token ${after.body.token}`)).status, 200);

    const jobs = server.service(JOBS, 'authorizations');
    await eventually(async () => (await jobs.list({ state: 'done' })).length === 1, 'the job has ended');
    const stored = server.service(STORAGE, 'authorizations').collection({ name: 'authorizations' });
    assert.equal(await stored.countDocuments({ _id: String(mine.id) }), 0);
    assert.equal(await stored.countDocuments({ _id: String(after.body.id) }), 1);
  });

  test('the tokens of a deleted application or user open nothing', async () => {
    const { token } = await tokenFor(server.bot, BEN);
    await server.command(['users', 'delete', 'ben']);
    assert.equal((await server.call('GET', '/mine', `token ${token}`)).status, 401);
    assert.equal((await server.call('GET', at(server.bot, token), asApp(server.bot))).status, 404);
    const mine = await tokenFor(server.bot);
    await server.command(['apps', 'delete', server.bot.clientId]);
    assert.equal((await server.call('GET', '/mine', `token ${mine.token}`)).status, 401);
  });
});
