/** What plugins answer about secrets that were sealed with a key that is no longer listed. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { bootTest, type TestServer } from 'plugboard/testing';
import accounts from '../../plugins/accounts/index.js';
import memory from '../../plugins/memory/index.js';

const STORE = '/api/settings/external-store';
const ACCOUNTS = '/v2/core/accounts';

test('secrets of a seal key that is gone make no 500, and can be given again', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'plugboard-seal-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [old, fresh] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
  const boot = (...sealKeys: string[]) =>
    bootTest({
      plugins: [{ plugin: memory }, { plugin: accounts }],
      storage: { use: 'embedded', path: folder },
      secrets: { keys: sealKeys },
    });
  let key = '';
  const call = async (
    server: TestServer,
    method: 'GET' | 'PUT' | 'POST',
    url: string,
    payload?: object,
    id = '',
  ) => {
    const headers = { authorization: `Bearer ${key}`, ...(id !== '' && { 'idempotency-key': id }) };
    const answer = await server.inject({ method, url, headers, ...(payload && { payload }) });
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
  };
  const create = (server: TestServer, id: string, more: object = {}) =>
    call(server, 'POST', ACCOUNTS, { contact_email: 'kim@example.com', ...more }, id);

  let token: unknown;
  let made: unknown;
  {
    await using server = await boot(old);
    key = await server.key();
    assert.equal((await call(server, 'PUT', STORE, { apiKey: 'secret-of-the-store' })).status, 200);
    made = (await create(server, 'once')).body['id'];
    token = (await call(server, 'POST', '/v2/core/account_tokens', { display_name: 'Kim' })).body['id'];
  }
  await (await boot(fresh, old)).stop();

  await using server = await boot(fresh);
  const read = await call(server, 'GET', STORE);
  assert.deepEqual([read.status, read.body['hasApiKey']], [200, false]);
  const set = await call(server, 'PUT', STORE, { apiKey: 'given-again' });
  assert.deepEqual([set.status, set.body['hasApiKey']], [200, true]);
  const again = await create(server, 'once');
  assert.deepEqual([again.status, again.body['id']], [200, made]);
  const redeemed = await create(server, 'other', { account_token: token });
  assert.ok(redeemed.status >= 400 && redeemed.status < 500, JSON.stringify(redeemed));
});
