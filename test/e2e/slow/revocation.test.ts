/** Keys, tokens and sessions are revoked by one instance while the other has a frozen member of MongoDB, or no link to it. */
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { bootTest, type TestServer } from 'plugboard/testing';
import authorizations from '../../../plugins/authorizations/index.js';
import {
  ADMIN_PASSWORD,
  basic,
  bearer,
  beginSession,
  guarded,
  manager,
  visit,
} from '../../plugins/auth/support.js';
import { cuttableProxy } from '../../support/servers/cuttable-proxy.js';
import { eventually } from '../../support/eventually.js';
import { mongodMissing } from '../../support/mongod/mongod.js';
import { startMongodSet, type MongodSet } from '../../support/mongod/mongod-set.js';

/** Seconds. */
const LAG = 3;
const MEMBERS = 3;
/** Silence is given up soon: a revocation that waits for a frozen primary is tried again at the next one. */
const TIMEOUTS = { connect: 1_000, serverSelection: 2_000, socket: 2_000, queue: 1_000 };
const PASSWORD = 'ann climbs seven quiet hills';

const plugins = [
  { plugin: authorizations },
  {
    plugin: guarded({
      key: { accepts: 'bearer', scope: 'x' },
      token: { accepts: 'token' },
      session: { accepts: 'management' },
    }),
  },
];
const auth = { adminPassword: ADMIN_PASSWORD, revocationLag: LAG };

interface Fault {
  readonly name: string;
  /** The address by which the far instance reaches MongoDB. */
  begin(set: MongodSet, t: TestContext): Promise<{ readonly url: string; strike(): void; heal(): void }>;
}

const frozen =
  (which: (primary: number) => number): Fault['begin'] =>
  async (set) => {
    const member = which(await set.primary());
    return { url: set.url, strike: () => set.pause(member), heal: () => set.resume(member) };
  };

const FAULTS: readonly Fault[] = [
  { name: 'the primary is frozen', begin: frozen((primary) => primary) },
  { name: 'a secondary is frozen', begin: frozen((primary) => (primary + 1) % MEMBERS) },
  {
    name: 'the instance is cut off',
    begin: async (set, t) => {
      const ports = set.url.match(/(?<=127\.0\.0\.1:)\d+/g) ?? [];
      const proxy = await cuttableProxy(t, { host: '127.0.0.1', port: Number(ports[await set.primary()]) });
      const url = `mongodb://127.0.0.1:${proxy.port}/?directConnection=true`;
      return { url, strike: proxy.cut, heal: proxy.mend };
    },
  },
];

describe('revoking on three members of MongoDB', { skip: mongodMissing }, () => {
  for (const { name, begin } of FAULTS)
    test(`${name}: a key, a token and a session are accepted for revocationLag at most, and refused for good after it`, async (t) => {
      const set = await startMongodSet(MEMBERS);
      t.after(() => set.stop());
      const { url, strike, heal } = await begin(set, t);
      // A frozen process cannot be ended.
      t.after(heal);
      const storage = { use: 'mongodb', database: 'revoking', timeouts: TIMEOUTS };
      await using near = await bootTest({ plugins, auth, storage: { ...storage, url: set.url } });
      await using far = await bootTest({ plugins, auth, storage: { ...storage, url } });
      const credentials = await issue(near);
      for (const [kind, { headers }] of Object.entries(credentials))
        assert.match(await visit(far, kind, headers), /^200/);

      strike();
      await Promise.all(
        Object.entries(credentials).map(async ([kind, { headers, revoke }]) => {
          let [accepted, asked, ended] = [-Infinity, 0, false];
          const probing = (async () => {
            while (!ended) {
              const began = performance.now();
              if ((await visit(far, kind, headers)).startsWith('200')) accepted = began;
              asked += 1;
            }
          })();
          await eventually(() => asked > 0, 'it is used after the fault');
          await eventually(revoke, `the ${kind} is revoked`);
          const revoked = performance.now();
          await eventually(() => performance.now() > revoked + 2 * LAG * 1000, 'the lag is over');
          ended = true;
          await probing;
          // No measure of speed: a call that begins later than this cannot be accepted, however slow the machine.
          const late = Math.round(accepted - revoked);
          t.diagnostic(`${kind}: the last accepted call began ${late} ms after the revocation`);
          assert.ok(late <= LAG * 1000, `the ${kind} was accepted ${late} ms after it was revoked`);
        }),
      );

      heal();
      for (const [kind, { headers }] of Object.entries(credentials))
        await eventually(
          async () => (await visit(far, kind, headers)).startsWith('401'),
          `${kind} is refused`,
        );
    });
});

interface Issued {
  readonly headers: Record<string, string>;
  /** Whether it is revoked now. */
  revoke(): Promise<boolean>;
}

/** A credential of each kind, made and revoked by `server`. */
async function issue(server: TestServer): Promise<Readonly<Record<'key' | 'token' | 'session', Issued>>> {
  const made = await server.command(['users', 'create', 'ann', '--password-stdin'], PASSWORD);
  assert.equal(made.code, 0, made.stderr);
  const manage = await manager(server);
  const key = (await manage('POST', '/api/keys', { name: 'lost', scopes: ['x'] })).json<{
    id: string;
    key: string;
  }>();
  const ann = basic('ann', PASSWORD);
  const payload = { note: 'laptop', scopes: [] };
  const token = (
    await server.inject({ method: 'POST', url: '/authorizations', headers: ann, payload })
  ).json<{ id: number; token: string }>();
  const { cookie, csrfToken } = await beginSession(server);
  const session = { cookie, 'x-csrf-token': csrfToken };
  // Of a call that had no answer nobody knows what it did: asked again, what is gone is not there.
  const isGone = (status: number): boolean => status < 300 || status === 404 || status === 401;
  return {
    key: {
      headers: bearer(key.key),
      revoke: async () => isGone((await manage('DELETE', `/api/keys/${key.id}`)).statusCode),
    },
    token: {
      headers: bearer(token.token),
      revoke: async () =>
        isGone(
          (await server.inject({ method: 'DELETE', url: `/authorizations/${token.id}`, headers: ann }))
            .statusCode,
        ),
    },
    session: {
      headers: { cookie },
      revoke: async () =>
        isGone(
          (await server.inject({ method: 'POST', url: '/api/auth/logout', headers: session })).statusCode,
        ),
    },
  };
}
