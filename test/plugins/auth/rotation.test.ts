import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootTest } from 'plugboard/testing';
import { eachStore } from '../../support/stores.js';
import { ADMIN_PASSWORD, bearer, guarded, manager, MINUTE, outcome, TestClock } from './support.js';

const plugins = [{ plugin: guarded({ read: { accepts: 'bearer', scope: 'x' } }) }];

interface Issued {
  readonly id: string;
  readonly key: string;
}

eachStore('rotation', (store) => {
  test('a rotated key is the same key with two texts, until the one before ends', async () => {
    const clock = new TestClock();
    await using server = await bootTest({ plugins, clock, storage: await store.fresh() });
    const call = await manager(server);
    const ask = async (key: string) =>
      outcome(await server.inject({ url: '/guarded/read', headers: bearer(key) }));
    const first = (await call('POST', '/api/keys', { name: 'app', scopes: ['x'] })).json<Issued>();
    assert.equal(await ask(first.key), '200 key');
    const until = new Date(clock.now() + 10 * MINUTE).toISOString();
    const second = (await call('POST', `/api/keys/${first.id}/rotate`, { until })).json<Issued>();
    assert.equal(second.id, first.id, 'what it owns stays its own');
    assert.notEqual(second.key, first.key);
    assert.deepEqual([await ask(first.key), await ask(second.key)], ['200 key', '200 key']);
    clock.advance(11 * MINUTE);
    assert.deepEqual([await ask(first.key), await ask(second.key)], ['401 api_key_expired', '200 key']);

    const third = (await call('POST', `/api/keys/${first.id}/rotate`, {})).json<Issued>();
    assert.equal(await ask(second.key), '200 key');
    assert.equal((await call('DELETE', `/api/keys/${first.id}/previous`)).statusCode, 200);
    assert.deepEqual([await ask(second.key), await ask(third.key)], ['401 invalid_api_key', '200 key']);
    await call('DELETE', `/api/keys/${first.id}`);
    assert.equal(await ask(third.key), '401 api_key_revoked');
    assert.equal(outcome(await call('POST', `/api/keys/${first.id}/rotate`, {})), '409 key_ended');
  });

  test('nobody gets the text of a key that may do more than they may', async () => {
    await using server = await bootTest({ plugins, storage: await store.fresh() });
    const all = await manager(server);
    const { id } = (await all('POST', '/api/keys', { name: 'all', scopes: ['*'] })).json<Issued>();
    const headers = bearer(await server.key('manage'));
    const refused = await server.inject({
      method: 'POST',
      url: `/api/keys/${id}/rotate`,
      headers,
      payload: {},
    });
    assert.equal(outcome(refused), '403 scope_not_held');
    const unknown = await all('POST', '/api/keys/none/rotate', {});
    assert.equal(outcome(unknown), '404 key_not_found');
  });

  test('of two rotations at once the loser is told, and its caller holds no text that never works', async () => {
    await using server = await bootTest({ plugins, storage: await store.fresh() });
    const call = await manager(server);
    const { id } = (await call('POST', '/api/keys', { name: 'app', scopes: ['x'] })).json<Issued>();
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', `/api/keys/${id}/rotate`, {})));
    for (const answer of answers.filter(({ statusCode }) => statusCode === 200)) {
      const { key } = answer.json<Issued>();
      assert.match(
        outcome(await server.inject({ url: '/guarded/read', headers: bearer(key) })),
        /200 key|401 invalid_api_key/,
      );
    }
    assert.ok(answers.every(({ statusCode }) => statusCode === 200 || statusCode === 409));
    assert.ok(answers.some(({ statusCode }) => statusCode === 200));
  });
});

test('the key of the config is rotated in the config', async () => {
  const firstKey = `pb_${'k'.repeat(43)}`;
  await using server = await bootTest({ plugins, auth: { firstKey } });
  const refused = await server.command(['keys', 'rotate', 'first']);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /change "firstKey" there/);
});

test('keys rotate prints the new text once and says when the one before stops', async () => {
  await using server = await bootTest({ plugins });
  const made = await server.command(['keys', 'create', 'app', '--scope', 'x', '--json']);
  const { id } = JSON.parse(made.stdout) as Issued;
  const rotated = await server.command(['keys', 'rotate', id, '--until', '7d']);
  assert.match(rotated.stdout, /^pb_[\w-]{43}\n$/);
  assert.match(rotated.stderr, /works until \d{4}-/);
  const bad = await server.command(['keys', 'rotate', id, '--until', 'soon']);
  assert.match(bad.stderr, /--until "soon"/);
});

test('users unlock ends the wait of the administrator, and of nobody else', async () => {
  const lockout = { session: { failures: 2, minutes: 15 } };
  await using server = await bootTest({ plugins, auth: { adminPassword: ADMIN_PASSWORD, lockout } });
  const logIn = async (password: string, login = 'admin') =>
    outcome(await server.inject({ method: 'POST', url: '/api/auth/login', payload: { login, password } }));
  for (const login of ['admin', 'ann'])
    for (let guess = 0; guess < 2; guess += 1) await logIn('wrong', login);
  assert.equal(await logIn(ADMIN_PASSWORD), '429 too_many_attempts');
  const unlocked = await server.command(['users', 'unlock', 'Admin']);
  assert.equal(unlocked.code, 0, unlocked.stderr);
  assert.match(await logIn(ADMIN_PASSWORD), /^200/);
  assert.equal(await logIn('wrong', 'ann'), '429 too_many_attempts');
  assert.equal((await server.command(['users', 'unlock', '--address', '999'])).code, 2);
  assert.match((await server.command(['users', 'unlock'])).stdout, /ended \d+ wait/);
  assert.equal(await logIn('wrong', 'ann'), '401 bad_credentials');
});
