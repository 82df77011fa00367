/** What was revoked elsewhere, on an instance whose link to the store is cut. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { bootTest } from 'plugboard/testing';
import { cuttableProxy } from '../../support/servers/cuttable-proxy.js';
import { eventually } from '../../support/eventually.js';
import { mongodMissing } from '../../support/mongod/mongod.js';
import { startMongodSet } from '../../support/mongod/mongod-set.js';
import { ADMIN_PASSWORD, bearer, beginSession, guarded, manager, outcome } from './support.js';

const plugins = [
  {
    plugin: guarded({
      bearer: { accepts: 'bearer', scope: 'x' },
      management: { accepts: 'management' },
    }),
  },
];
/** Seconds. */
const LAG = 2;
const auth = { adminPassword: ADMIN_PASSWORD, revocationLag: LAG };

describe('revoking on MongoDB', { skip: mongodMissing, timeout: 180_000 }, () => {
  test('an instance that is cut off accepts a key and a session for revocationLag at most, then answers 503, and goes on when the link is back', async (t) => {
    const set = await startMongodSet(1);
    t.after(() => set.stop());
    const { hostname: host, port } = new URL(set.url.replace('mongodb:', 'http:'));
    const proxy = await cuttableProxy(t, { host, port: Number(port) });
    const storage = { use: 'mongodb', database: 'revoking' };
    await using near = await bootTest({ plugins, auth, storage: { ...storage, url: set.url } });
    await using far = await bootTest({
      plugins,
      auth,
      storage: { ...storage, url: `mongodb://127.0.0.1:${proxy.port}/?directConnection=true` },
    });
    const manage = await manager(near);
    const { id, key } = (await manage('POST', '/api/keys', { name: 'lost', scopes: ['x'] })).json<{
      id: string;
      key: string;
    }>();
    const { cookie } = await beginSession(far);
    const visit = async (headers: Record<string, string>, guard: string): Promise<string> =>
      outcome(await far.inject({ url: `/guarded/${guard}`, headers }));
    assert.equal(await visit(bearer(key), 'bearer'), '200 key');
    assert.equal(await visit({ cookie }, 'management'), '200 session');

    proxy.cut();
    const cutAt = performance.now();
    assert.equal((await manage('DELETE', `/api/keys/${id}`)).statusCode, 200);
    let last = cutAt;
    await eventually(async () => {
      const began = performance.now();
      const got = await visit(bearer(key), 'bearer');
      if (got === '200 key') last = began;
      return got === '503 revocations_unknown';
    }, 'the key is refused');
    // No measure of speed: a call that begins later than this cannot be accepted, however slow the machine.
    assert.ok(last - cutAt <= LAG * 1000, `accepted ${Math.round(last - cutAt)} ms after the cut`);
    assert.equal(await visit({ cookie }, 'management'), '503 revocations_unknown');

    proxy.mend();
    await eventually(
      async () => (await visit(bearer(key), 'bearer')) === '401 api_key_revoked',
      'the key is known to be revoked',
    );
    await eventually(
      async () => (await visit({ cookie }, 'management')) === '200 session',
      'the session goes on',
    );
  });
});
