/** `GET /-/config`: what is in force, and nothing that is secret. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definePlugin, Type } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';

const plugin = definePlugin({
  name: 'caller',
  api: 1,
  config: Type.Object(
    {
      url: Type.String({ default: 'http://127.0.0.1', description: 'where it calls' }),
      password: Type.String({ secret: true, description: 'a secret' }),
      others: Type.Record(Type.String(), Type.Object({ token: Type.String({ secret: true }) }), {
        default: {},
        description: 'secrets below names of the config',
      }),
    },
    { additionalProperties: false },
  ),
  setup: () => ({}),
});

test('the config in force has defaults and no secret, however deep', async () => {
  const config = { password: 'tea without sugar', others: { one: { token: 'milk in first' } } };
  await using server = await bootTest({ plugins: [{ plugin, config }] });
  const answer = await server.inject('/-/config');
  assert.equal(answer.statusCode, 200);
  assert.doesNotMatch(answer.body, /tea without sugar|milk in first/);
  const { entries } = answer.json<{ entries: { id: string; section: string; config: { use?: string } }[] }>();
  const caller = entries.find(({ id }) => id === 'caller');
  assert.deepEqual(caller?.config, {
    use: caller?.config.use,
    url: 'http://127.0.0.1',
    password: '[secret]',
    others: { one: { token: '[secret]' } },
  });
});
