import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootTest } from 'plugboard/testing';
import { ADMIN_PASSWORD, beginSession, bearer, guarded, outcome } from './support.js';

const plugins = [{ plugin: guarded({ reader: { accepts: 'bearer', scope: 'x' } }) }];

test('management lists the scopes that plugins declare, each with its sentence', async () => {
  await using server = await bootTest({ plugins, auth: { adminPassword: ADMIN_PASSWORD } });
  const { cookie } = await beginSession(server);
  const answer = await server.inject({ url: '/api/scopes', headers: { cookie } });
  const { scopes } = answer.json<{ scopes: { name: string }[] }>();
  assert.deepEqual(
    scopes.map(({ name }) => name),
    ['data:read', 'data:write', 'manage', 'repo', 'x', 'y'],
  );
  assert.deepEqual(scopes[4], { name: 'x', summary: 'the scope x', plugin: 'guarded' });
  assert.equal(outcome(await server.inject('/api/scopes')), '401 missing_credentials');
  const weak = await server.inject({ url: '/api/scopes', headers: bearer(await server.key('x')) });
  assert.equal(outcome(weak), '403 insufficient_scope');
});
