/** The clients of Supabase and OpenAI, unmodified, with the token of a person of an identity provider. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createClient, PostgrestError } from '@supabase/supabase-js';
import OpenAI from 'openai';
import { bootTest } from 'plugboard/testing';
import { WebSocket } from 'undici';
import dataquery from '../../plugins/dataquery/index.js';
import router from '../../plugins/router/index.js';
import { root } from '../support/fixtures.js';
import { AUDIENCE, ISSUER, KeyHost, seconds, signed, signingKey } from '../support/peers/token-issuer.js';
import { TestUpstream } from '../support/peers/upstream.js';

const ROLES = { reader: ['data:read'], writer: ['data:read', 'data:write'], talker: ['chat'] };

async function start(t: TestContext) {
  const issuer = await signingKey('one');
  const host = await KeyHost.start(t, [issuer]);
  const upstream = await TestUpstream.start('up');
  t.after(() => upstream.stop());
  const demo = join(root, 'config/demo');
  const server = await bootTest({
    plugins: [
      {
        plugin: dataquery,
        config: { catalog: join(demo, 'cinema.yaml'), rows: join(demo, 'cinema.rows.json') },
        prefix: '/rest/v1',
      },
      { plugin: router, config: { upstreams: [{ name: 'up', baseUrl: upstream.url }] } },
    ],
    auth: {
      issuers: [
        {
          name: 'app',
          issuer: ISSUER,
          audience: AUDIENCE,
          jwks: host.url,
          algorithms: ['ES256'],
          roles: ROLES,
        },
      ],
    },
  });
  t.after(() => server.stop());
  const token = (role: string, claims: object = {}) => signed(issuer, { role, ...claims });
  return { server, upstream, token, url: await server.listen() };
}

test('supabase-js reads and writes rows as the person whose token it sends with a publishable key', async (t) => {
  const { server, url, token } = await start(t);
  const words = ['keys', 'create', 'page', '--publishable', '--json'];
  const page = JSON.parse((await server.command(words)).stdout) as { id: string; key: string };
  const films = (role: string, claims?: object) => {
    const accessToken = () => token(role, claims);
    // Node 20 has no WebSocket of its own, and the client wants one before it is asked for anything.
    const transport = WebSocket as never;
    return createClient(url, page.key, { accessToken, realtime: { transport } }).from('films');
  };
  const film = { title: 'Dodesukaden', year: 1970 };
  const writer = films('writer');
  const made = await writer.insert({ ...film, year: 1971 }).select('title,year');
  assert.deepEqual([made.error, made.status], [null, 201]);
  assert.equal((await writer.update(film).eq('title', 'Dodesukaden')).error, null);
  const reader = films('reader');
  const read = await reader.select('title,year').eq('title', 'Dodesukaden').throwOnError();
  assert.deepEqual(read.data, [film]);

  const refused = (query: { throwOnError(): PromiseLike<unknown> }, code: string) =>
    assert.rejects(
      async () => query.throwOnError(),
      (error) => error instanceof PostgrestError && error.code === code,
    );
  await refused(reader.insert(film), 'insufficient_scope');
  await refused(films('talker').select(), 'insufficient_scope');
  await refused(films('reader', { exp: seconds() - 60 }).select(), 'token_refused');
  assert.equal((await reader.select('id').eq('title', 'Dodesukaden')).data?.length, 1);
  assert.equal((await writer.delete().eq('title', 'Dodesukaden')).status, 204);
  assert.deepEqual((await reader.select('title').eq('title', 'Dodesukaden')).data, []);
  assert.equal((await server.command(['keys', 'revoke', page.id])).code, 0);
  await refused(reader.select(), 'api_key_revoked');
});

test("OpenAI's client chats with a person's token as its key, and the upstream does not see the token", async (t) => {
  const { url, upstream, token } = await start(t);
  const client = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 });
  const ask = { model: 'up/chat', messages: [{ role: 'user' as const, content: 'hello' }] };
  const talker = await token('talker');
  const whole = await client(talker).chat.completions.create(ask);
  assert.equal(whole.choices[0]?.message.content, 'up up');
  let streamed = '';
  for await (const chunk of await client(talker).chat.completions.create({ ...ask, stream: true }))
    streamed += chunk.choices[0]?.delta.content ?? '';
  assert.equal(streamed, 'up up');
  assert.equal(upstream.requests.length, 2);
  assert.ok(!JSON.stringify(upstream.requests).includes(talker), 'the token is for this server alone');

  const chat = async (role: string, claims?: object) =>
    client(await token(role, claims)).chat.completions.create(ask);
  await assert.rejects(chat('reader'), OpenAI.PermissionDeniedError);
  await assert.rejects(chat('talker', { exp: seconds() - 60 }), OpenAI.AuthenticationError);
  await assert.rejects(chat('talker', { aud: 'other' }), OpenAI.AuthenticationError);
  assert.equal(upstream.requests.length, 2);
});
