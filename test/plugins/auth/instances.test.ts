import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootTest } from 'plugboard/testing';
import { totp } from '../../support/totp.js';
import { eventually } from '../../support/eventually.js';
import { eachStore } from '../../support/stores.js';
import {
  ADMIN_PASSWORD,
  basic,
  bearer,
  beginSession,
  credentialsIn,
  guarded,
  login,
  manager,
  MINUTE,
  outcome,
  startShown,
  TestClock,
  visit,
} from './support.js';

const plugins = [
  {
    plugin: guarded({
      bearer: { accepts: 'bearer', scope: 'x' },
      management: { accepts: 'management' },
      user: { accepts: 'basicUser' },
    }),
  },
];
const auth = { adminPassword: ADMIN_PASSWORD };

eachStore('auth over several instances and restarts', (store) => {
  test(
    'of several instances whose first start is at once, one shows each credential',
    { skip: store.alone },
    async () => {
      const storage = await store.fresh();
      const started = await Promise.all(Array.from({ length: 4 }, () => startShown({ plugins, storage })));
      const shown = (await Promise.all(started.map((each) => each.shown()))).join('');
      assert.equal(shown.match(/admin password/g)?.length, 1);
      assert.equal(shown.match(/first API key/g)?.length, 1);
      const { password, key } = credentialsIn(shown);
      for (const { server } of started) {
        assert.equal((await login(server, password)).statusCode, 200);
        assert.equal(await visit(server, 'bearer', bearer(key)), '200 key');
      }
      await Promise.all(started.map(({ server }) => server.stop()));
    },
  );

  test(
    'a key that is revoked on one instance stops working on another that has it cached',
    { skip: store.alone },
    async () => {
      const storage = await store.fresh();
      await using one = await bootTest({ plugins, auth, storage });
      await using two = await bootTest({ plugins, auth, storage });
      const call = await manager(one);
      const { id, key } = (await call('POST', '/api/keys', { name: 'shared', scopes: ['x'] })).json<{
        id: string;
        key: string;
      }>();
      for (const server of [one, two, one, two]) {
        assert.equal(await visit(server, 'bearer', bearer(key)), '200 key');
      }
      await call('DELETE', `/api/keys/${id}`);
      assert.equal(await visit(one, 'bearer', bearer(key)), '401 api_key_revoked');
      await eventually(
        async () => (await visit(two, 'bearer', bearer(key))) === '401 api_key_revoked',
        'the revocation is known to the other instance',
      );
    },
  );

  test('a session that ended on one instance has ended on every other', { skip: store.alone }, async () => {
    const storage = await store.fresh();
    await using one = await bootTest({ plugins, auth, storage });
    await using two = await bootTest({ plugins, auth, storage });
    const { cookie, csrfToken } = await beginSession(one);
    assert.equal(await visit(two, 'management', { cookie }), '200 session');
    const headers = { cookie, 'x-csrf-token': csrfToken };
    await one.inject({ method: 'POST', url: '/api/auth/logout', headers });
    assert.equal(await visit(two, 'management', { cookie }), '401 invalid_session');
  });

  test(
    'a changed password holds at once, also for a client that was just let in',
    { skip: store.alone },
    async () => {
      const storage = await store.fresh();
      await using one = await bootTest({ plugins, auth, storage });
      await using two = await bootTest({ plugins, auth, storage });
      const call = await manager(one);
      await call('POST', '/api/users', { login: 'ann', password: 'the old password' });
      const [old, changed] = [basic('ann', 'the old password'), basic('ann', 'the new password')];
      for (const server of [one, two]) assert.equal(await visit(server, 'user', old), '200 user');
      await call('PATCH', '/api/users/1', { password: 'the new password' });
      for (const server of [one, two]) {
        assert.equal(await visit(server, 'user', old), '401 bad_credentials');
        assert.equal(await visit(server, 'user', changed), '200 user');
      }
    },
  );

  test(
    'a one-time password opens once, also when it is sent to two instances at once',
    { skip: store.alone },
    async () => {
      const clock = new TestClock();
      const storage = await store.fresh();
      await using one = await bootTest({ plugins, auth, clock, storage });
      await using two = await bootTest({ plugins, auth, clock, storage });
      const call = await manager(one);
      await call('POST', '/api/users', { login: 'ann', password: 'password of ann' });
      const { secret } = (await call('POST', '/api/users/1/otp')).json<{ secret: string }>();
      const headers = {
        ...basic('ann', 'password of ann'),
        'x-github-otp': totp(secret, clock.now()),
      };
      const outcomes = await Promise.all(
        [one, two, one, two].map((server) => visit(server, 'user', headers)),
      );
      assert.deepEqual(outcomes.toSorted(), [
        '200 user',
        '401 invalid_otp',
        '401 invalid_otp',
        '401 invalid_otp',
      ]);
    },
  );

  test('of several users created with one login at once, one is stored', { skip: store.alone }, async () => {
    const storage = await store.fresh();
    await using one = await bootTest({ plugins, auth, storage });
    await using two = await bootTest({ plugins, auth, storage });
    const [first, second] = [await manager(one), await manager(two)];
    const answers = await Promise.all([
      first('POST', '/api/users', { login: 'bob' }),
      second('POST', '/api/users', { login: 'Bob' }),
      first('POST', '/api/users', { login: 'BOB' }),
      second('POST', '/api/users', { login: 'bOb' }),
    ]);
    const statuses = answers.map(({ statusCode }) => String(statusCode));
    assert.deepEqual(statuses.toSorted(), ['201', '409', '409', '409']);
  });

  test('five wrong passwords lock the login, for the right one too, and over a restart', async () => {
    const clock = new TestClock();
    const storage = await store.fresh();
    const before = await bootTest({ plugins, auth, clock, storage });
    for (let failure = 0; failure < 5; failure += 1) {
      assert.equal(outcome(await login(before, 'wrong password')), '401 wrong_password');
    }
    const locked = await login(before);
    assert.equal(outcome(locked), '429 too_many_attempts');
    assert.equal(locked.headers['retry-after'], '60');
    await before.stop();

    await using server = await bootTest({ plugins, auth, clock, storage });
    clock.advance(MINUTE - 1);
    const stillLocked = await login(server);
    assert.equal(stillLocked.statusCode, 429);
    assert.equal(stillLocked.headers['retry-after'], '1');
    clock.advance(1);
    assert.equal((await login(server)).statusCode, 200);
  });

  test('the last use of a key is known within a minute, and is not written with every use', async () => {
    const clock = new TestClock();
    const storage = await store.fresh();
    const first = await bootTest({ plugins, auth, clock, storage });
    const call = await manager(first);
    const { id, key } = (await call('POST', '/api/keys', { name: 'used', scopes: ['x'] })).json<{
      id: string;
      key: string;
    }>();
    const uses: number[] = [];
    for (const step of [0, MINUTE, MINUTE - 1]) {
      clock.advance(step);
      uses.push(clock.now());
      assert.equal(await visit(first, 'bearer', bearer(key)), '200 key');
    }
    await first.stop();
    await using second = await bootTest({ plugins, auth, clock, storage });
    const seen = await (await manager(second))('GET', `/api/keys/${id}`);
    // The third use came less than a minute after the second, which was written.
    assert.equal(seen.json<{ lastUsedAt: string }>().lastUsedAt, new Date(uses[1] ?? 0).toISOString());
  });
});
