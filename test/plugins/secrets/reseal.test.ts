import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { AUTH, definePlugin, Type } from 'plugboard/sdk';
import { bootTest, type TestServer } from 'plugboard/testing';
import { eachStore } from '../../support/stores.js';

const newKey = (): string => randomBytes(32).toString('base64');

/** Has the auth provider set up, which keeps the secrets of one-time passwords. */
const guest = definePlugin({
  name: 'guest',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  needs: { auth: AUTH },
  setup: () => ({}),
});

eachStore('secrets sealed again', (store) => {
  test('after secrets reseal the old key can go, and a second run finds nothing to do', async () => {
    const storage = await store.fresh();
    const [old, next] = [newKey(), newKey()];
    const within = async <T>(keys: string[], work: (server: TestServer) => Promise<T>): Promise<T> => {
      await using server = await bootTest({ storage, secrets: { keys }, plugins: [{ plugin: guest }] });
      return await work(server);
    };
    const reseal = (server: TestServer) => server.command(['secrets', 'reseal']);
    await within([old], async (server) => {
      for (const login of ['ann', 'bo']) {
        for (const command of ['create', 'otp']) {
          const done = await server.command(['users', command, login]);
          assert.equal(done.code, 0, done.stderr);
        }
      }
    });
    const both = await within([next, old], async (server) => [await reseal(server), await reseal(server)]);
    assert.equal(both[0]?.code, 0, both[0]?.stderr);
    assert.match(both[0]?.stdout ?? '', /one-time passwords of users: 2 sealed again, 0 were already/);
    assert.match(both[1]?.stdout ?? '', /one-time passwords of users: 0 sealed again, 2 were already/);
    const alone = await within([next], reseal);
    assert.equal(alone.code, 0, alone.stderr);

    // The next change of keys, and the old one taken away too early.
    const third = newKey();
    await within([third, next], async () => {});
    const lost = await within([third], reseal);
    assert.equal(lost.code, 2);
    assert.match(lost.stderr, /no listed key opens these[^]*one-time passwords of users: 1, 2/);
  });
});
