import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUTH } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';
import { ADMIN_PASSWORD, basic, bearer, guarded, outcome } from './support.js';

interface App {
  id: string;
  clientId: string;
  clientSecret: string;
}

const plugins = [{ plugin: guarded({ app: { accepts: 'basicApp' } }) }];
const auth = { adminPassword: ADMIN_PASSWORD };

test('an application is registered, changed, given a new secret, and deleted', async () => {
  await using server = await bootTest({ plugins, auth });
  const headers = bearer(await server.key('manage'));
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
    server.inject({ method, url, headers, ...(payload && { payload }) });
  const enter = async (clientId: string, secret: string): Promise<string> =>
    outcome(await server.inject({ url: '/guarded/app', headers: basic(clientId, secret) }));

  const created = await call('POST', '/api/apps', { name: 'Build bot', url: 'https://example.com' });
  assert.equal(created.statusCode, 201);
  const { clientSecret, ...app } = created.json<App>();
  assert.match(app.clientId, /^[0-9a-f]{20}$/);
  assert.match(clientSecret, /^[0-9a-f]{40}$/);
  assert.equal(await enter(app.clientId, clientSecret), '200 app');
  assert.deepEqual((await call('GET', '/api/apps')).json(), { apps: [app] });
  assert.deepEqual((await call('GET', `/api/apps/${app.id}`)).json(), app);

  const unnamed = await call('PATCH', `/api/apps/${app.id}`, { name: ' ' });
  assert.match(unnamed.body, /"message":"name must not be blank"/);
  const changed = await call('PATCH', `/api/apps/${app.id}`, { name: 'Bot' });
  assert.deepEqual(changed.json(), { ...app, name: 'Bot' });
  const renewed = (await call('POST', `/api/apps/${app.id}/secret`)).json<App>();
  assert.equal(await enter(app.clientId, clientSecret), '401 bad_credentials');
  assert.equal(await enter(app.clientId, renewed.clientSecret), '200 app');

  assert.equal((await call('DELETE', `/api/apps/${app.id}`)).statusCode, 204);
  assert.equal(await enter(app.clientId, renewed.clientSecret), '401 bad_credentials');
  for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
    const payload = method === 'PATCH' ? { name: 'x' } : undefined;
    assert.equal(outcome(await call(method, `/api/apps/${app.id}`, payload)), '404 app_not_found');
  }
});

test('other plugins find an application, and verify its secret', async () => {
  await using server = await bootTest({ plugins, auth });
  const { stdout } = await server.command([
    'apps',
    'create',
    'bot',
    '--url',
    'https://example.com',
    '--json',
  ]);
  const { id, clientId, clientSecret } = JSON.parse(stdout) as App;
  const app = { id, clientId, name: 'bot', url: 'https://example.com' };
  const { apps } = server.service(AUTH);
  assert.deepEqual(await apps.byClientId(clientId), app);
  assert.deepEqual(await apps.verify(clientId, clientSecret), app);
  assert.equal(await apps.verify(clientId, '0'.repeat(40)), null);
  assert.equal(await apps.verify('0'.repeat(20), clientSecret), null);
  assert.equal(await apps.verify('0'.repeat(20), ''), null);
  assert.equal(await apps.byClientId('0'.repeat(20)), null);
});
