import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUTH, definePlugin, Type, type Person } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';
import { eventually } from '../../support/eventually.js';
import { manager, temporaryFolder } from './support.js';

/** Keeps data of people; fails for as long as `failing` is true. */
interface State {
  failing: boolean;
  readonly erased: Person[];
}

function keeper(state: State) {
  return definePlugin({
    name: 'keeper',
    api: 1,
    config: Type.Object({}, { additionalProperties: false }),
    needs: { auth: AUTH },
    setup: () => ({
      people: {
        async *export({ principals }: Person) {
          yield { principals };
        },
        async erase(person: Person) {
          if (state.failing) throw new Error('not now');
          state.erased.push(person);
          return 3;
        },
      },
    }),
  });
}

test('an erasure that a plugin could not do goes on after a restart, and the person is out at once', async (t) => {
  const storage = { use: 'embedded', path: await temporaryFolder(t) };
  const state: State = { failing: true, erased: [] };
  const boot = () => bootTest({ storage, plugins: [{ plugin: keeper(state) }] });
  const server = await boot();
  const call = await manager(server);
  const { id } = (await call('POST', '/api/users', { login: 'ann' })).json<{ id: number }>();
  assert.equal((await call('DELETE', `/api/users/${id}`)).statusCode, 204);
  assert.equal((await call('GET', `/api/users/${id}`)).statusCode, 404);
  assert.equal(state.erased.length, 0);
  await server.stop();

  state.failing = false;
  const again = await boot();
  await eventually(() => state.erased.length === 1, 'the erasure goes on');
  assert.deepEqual(state.erased[0]?.principals, [`user:${id}`]);
  await again.stop();
});

test('somebody known by tokens alone is named by issuer and subject, and nobody else is', async () => {
  const state: State = { failing: false, erased: [] };
  const issuers = [
    {
      name: 'app',
      issuer: 'https://a.example',
      audience: 'x',
      secret: 'x'.repeat(32),
      algorithms: ['HS256'],
    },
  ];
  const server = await bootTest({ auth: { issuers }, plugins: [{ plugin: keeper(state) }] });
  try {
    const exported = await server.command(['people', 'export', 'app|auth0|1']);
    assert.deepEqual(JSON.parse(exported.stdout), { plugin: 'keeper', principals: ['person:app|auth0|1'] });
    for (const name of ['other|1', 'app|', 'nobody']) {
      const refused = await server.command(['people', 'erase', name]);
      assert.equal(refused.code, 2, name);
      assert.match(refused.stderr, /nobody is called/);
    }
  } finally {
    await server.stop();
  }
});

test('a plugin that says half of how people are erased does not start', async () => {
  const half = definePlugin({
    name: 'half',
    api: 1,
    config: Type.Object({}, { additionalProperties: false }),
    setup: () => ({ people: { erase: async () => 0 } }) as never,
  });
  await assert.rejects(bootTest({ plugins: [{ plugin: half }] }), /"people" without the function "export"/);
});
