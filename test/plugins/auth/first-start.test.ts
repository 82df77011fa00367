import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newApiKey } from '../../../plugins/auth/keys/key-format.js';
import {
  ADMIN_PASSWORD,
  bearer,
  credentialsIn,
  guarded,
  login,
  startShown,
  temporaryFolder,
  visit,
} from './support.js';

const plugins = [{ plugin: guarded({ bearer: { accepts: 'bearer', scope: 'x' } }) }];

test('the first start shows an admin password and a key that work, and no later start shows anything', async (t) => {
  const baseDir = await temporaryFolder(t);
  const first = await startShown({ plugins, baseDir });
  const { password, key } = credentialsIn(await first.shown());
  assert.equal((await login(first.server, password)).statusCode, 200);
  assert.equal(await visit(first.server, 'bearer', bearer(key)), '200 key');
  await first.server.stop();

  const again = await startShown({ plugins, baseDir });
  assert.equal((await login(again.server, password)).statusCode, 200);
  assert.equal(await again.shown(), '');
  await again.server.stop();
});

test('with a password in the config only the key is shown', async (t) => {
  const { server, shown } = await startShown({ plugins, auth: { adminPassword: ADMIN_PASSWORD } });
  t.after(() => server.stop());
  assert.match(
    await shown(),
    /^\s*-+\n.*\n\n +first API key .*\n\n.*\n\n +plugboard keys create .*\n-+\n\n$/,
  );
});

test('both come from the config, and then nothing is shown; a revoked first key stays revoked', async (t) => {
  const baseDir = await temporaryFolder(t);
  const firstKey = newApiKey();
  const first = await startShown({ plugins, baseDir, auth: { adminPassword: ADMIN_PASSWORD, firstKey } });
  assert.equal((await login(first.server)).statusCode, 200);
  assert.equal(await visit(first.server, 'bearer', bearer(firstKey)), '200 key');
  assert.equal(await first.shown(), '');
  assert.equal((await first.server.command(['keys', 'revoke', 'first'])).code, 0);
  await first.server.stop();

  for (const auth of [{ adminPassword: ADMIN_PASSWORD, firstKey }, { adminPassword: ADMIN_PASSWORD }]) {
    const { shown, server } = await startShown({ plugins, baseDir, auth });
    assert.equal(await visit(server, 'bearer', bearer(firstKey)), '401 api_key_revoked');
    assert.equal(await shown(), '');
    await server.stop();
  }
});

test('another first key in the config replaces the one before, which stops working', async (t) => {
  const baseDir = await temporaryFolder(t);
  const [one, two] = [newApiKey(), newApiKey()];
  const boot = async (firstKey: string) =>
    (await startShown({ plugins, baseDir, auth: { adminPassword: ADMIN_PASSWORD, firstKey } })).server;
  for (const [now, before] of [
    [one, two],
    [two, one],
    [two, one],
    [one, two],
  ] as const) {
    const server = await boot(now);
    assert.equal(await visit(server, 'bearer', bearer(now)), '200 key');
    assert.equal(await visit(server, 'bearer', bearer(before)), '401 invalid_api_key');
    await server.stop();
  }
});

test('a password that is changed in the config replaces the stored one and ends its sessions', async (t) => {
  const baseDir = await temporaryFolder(t);
  const first = await startShown({ plugins, baseDir, auth: { adminPassword: ADMIN_PASSWORD } });
  const cookie = String((await login(first.server)).headers['set-cookie']).split(';')[0] ?? '';
  const changed = await first.server.inject({
    method: 'POST',
    url: '/api/auth/password',
    headers: { cookie, origin: 'http://localhost:80' },
    payload: { currentPassword: ADMIN_PASSWORD, newPassword: 'changed over HTTP' },
  });
  assert.equal(changed.statusCode, 200);
  await first.server.stop();

  const second = await startShown({ plugins, baseDir, auth: { adminPassword: ADMIN_PASSWORD } });
  const same = await login(second.server, 'changed over HTTP');
  assert.equal(same.statusCode, 200, 'the same config changes nothing');
  await second.server.stop();

  const third = await startShown({ plugins, baseDir, auth: { adminPassword: 'changed in the config' } });
  assert.equal((await login(third.server, 'changed over HTTP')).statusCode, 401);
  assert.equal((await login(third.server, 'changed in the config')).statusCode, 200);
  const status = await third.server.inject({ url: '/api/auth/status', headers: { cookie } });
  assert.equal(status.json<{ authenticated: boolean }>().authenticated, false);
  await third.server.stop();
});

test('the sealing keys must open what an earlier start sealed: an old key is listed after the new one', async (t) => {
  const baseDir = await temporaryFolder(t);
  const [old, next] = ['1'.repeat(64), '2'.repeat(64)];
  const starts: [sealKeys: string[], refused: boolean][] = [
    [[old], false],
    [[next], true],
    [[next, old], false],
    [[old], true],
    [[old, next], false],
  ];
  for (const [sealKeys, refused] of starts) {
    const started = startShown({
      plugins,
      baseDir,
      auth: { adminPassword: ADMIN_PASSWORD },
      secrets: { keys: sealKeys },
    });
    if (refused) await assert.rejects(started, /sealing keys are not those of this store: .*no longer lists/);
    else await (await started).server.stop();
  }
});
