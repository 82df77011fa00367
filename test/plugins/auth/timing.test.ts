import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { test, type TestContext } from 'node:test';
import { bootTest } from 'plugboard/testing';
import { ADMIN_PASSWORD, basic, bearer, guarded, outcome } from './support.js';

test('an unknown login costs the same hashing as a wrong password, and a locked one none', async (t) => {
  await using server = await bootTest({
    plugins: [{ plugin: guarded({ user: { accepts: 'basicUser' } }) }],
    auth: { adminPassword: ADMIN_PASSWORD, lockout: { basic: { failures: 4 } } },
  });
  const headers = bearer(await server.key('manage'));
  for (const payload of [
    { login: 'ann', password: 'password of ann' },
    { login: 'acme', type: 'Organization' },
  ]) {
    const answer = await server.inject({ method: 'POST', url: '/api/users', headers, payload });
    assert.equal(answer.statusCode, 201);
  }
  const runs = countScrypt(t);
  const attempt = async (login: string): Promise<[string, number]> => {
    const before = runs();
    const answer = await server.inject({ url: '/guarded/user', headers: basic(login, 'wrong password') });
    return [outcome(answer), runs() - before];
  };
  for (const login of ['ann', 'nobody', 'acme', 'a'.repeat(5000)]) {
    assert.deepEqual(await attempt(login), ['401 bad_credentials', 1], login);
  }
  for (const login of ['ann', 'nobody', 'ann', 'nobody', 'ann', 'nobody']) await attempt(login);
  for (const login of ['ann', 'nobody']) assert.deepEqual(await attempt(login), ['429 too_many_attempts', 0]);
});

test('a password that was right a moment ago is not hashed again', async (t) => {
  await using server = await bootTest({
    plugins: [{ plugin: guarded({ user: { accepts: 'basicUser' } }) }],
    auth: { adminPassword: ADMIN_PASSWORD },
  });
  await server.command(['users', 'create', 'ann', '--password-stdin'], 'password of ann\n');
  const runs = countScrypt(t);
  for (let request = 0; request < 5; request += 1) {
    const answer = await server.inject({ url: '/guarded/user', headers: basic('ann', 'password of ann') });
    assert.equal(outcome(answer), '200 user');
  }
  assert.equal(runs(), 1);
});

/** Counts the runs of scrypt from here on; its work is done all the same. */
function countScrypt(t: TestContext): () => number {
  const spy = t.mock.method(crypto, 'scrypt');
  syncBuiltinESMExports();
  t.after(() => {
    spy.mock.restore();
    syncBuiltinESMExports();
  });
  return () => spy.mock.callCount();
}
