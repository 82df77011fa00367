/** The official clients of all services against one spawned server, on each store. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PostgrestClient } from '@supabase/postgrest-js';
import { Octokit } from '@octokit/rest';
import OpenAI from 'openai';
import { caller } from '../support/caller.js';
import { allPlugins, deployment, type Deployment } from '../support/servers/deployment.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';
import { eachStore } from '../support/stores.js';
import { TestUpstream } from '../support/peers/upstream.js';

eachStore('one server, every client', (store) => {
  test('openai, postgrest-js, octokit and plain HTTP each get their service', async () => {
    await using upstream = await TestUpstream.start('up');
    const installation = deployment(await store.fresh(), allPlugins(upstream.url));
    await using server = await SpawnedServer.start(installation);
    await chats(server, installation);
    await queries(server, installation);
    await polls(server);
    await remembers(server, installation);
    await keepsPresets(server, installation);
    await logsIn(server, installation);
    await speaks(server, installation);
    assert.equal(await server.end('SIGTERM'), 0, server.output);
    for (const secret of [installation.key, installation.adminPassword, installation.sealKey]) {
      assert.ok(!server.output.includes(secret), 'the output holds no secret');
    }
  });
});

async function chats({ url }: SpawnedServer, { key }: Deployment): Promise<void> {
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: 'hello' }];
  const whole = await client.chat.completions.create({ model: 'up/chat', messages });
  assert.ok((whole.choices[0]?.message.content ?? '').length > 0);
  let streamed = '';
  for await (const chunk of await client.chat.completions.create({
    model: 'up/chat',
    messages,
    stream: true,
  })) {
    streamed += chunk.choices[0]?.delta.content ?? '';
  }
  assert.ok(streamed.length > 0);
  const { data } = await client.embeddings.create({ model: 'up/embed', input: ['a', 'b'] });
  assert.equal(data.length, 2);
  await assert.rejects(
    client.chat.completions.create({ model: 'nobody/nothing', messages }),
    OpenAI.NotFoundError,
  );
  const stranger = new OpenAI({ apiKey: 'pb_wrong', baseURL: `${url}/v1`, maxRetries: 0 });
  await assert.rejects(stranger.models.list(), OpenAI.AuthenticationError);
}

async function speaks({ url }: SpawnedServer, { key }: Deployment): Promise<void> {
  // The base of all other calls: speech has its own plugin.
  const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
  const ask = { model: 'tts-1', voice: 'sera', input: '안녕하세요.', response_format: 'wav' } as const;
  const spoken = await client.audio.speech.create(ask);
  const file = Buffer.from(await spoken.arrayBuffer());
  const seconds = Number(spoken.headers.get('x-audio-duration-seconds'));
  assert.equal(file.toString('latin1', 0, 4), 'RIFF');
  assert.ok(seconds > 0.5 && seconds < 3, `${seconds} s`);
  await assert.rejects(client.audio.speech.create({ ...ask, voice: 'nobody' }), OpenAI.BadRequestError);
}

async function queries({ url }: SpawnedServer, { key }: Deployment): Promise<void> {
  const client = new PostgrestClient(`${url}/data`, { headers: { Authorization: `Bearer ${key}` } });
  const { data, error } = await client.from('films').select('title,directors(name)').limit(2);
  assert.equal(error, null);
  assert.equal(data?.length, 2);
}

async function polls({ url }: SpawnedServer): Promise<void> {
  const { activity } = new Octokit({ baseUrl: url, log: { ...console, error() {} } }).rest;
  const tides = { owner: 'harbor-labs', repo: 'tides' };
  const { data, headers } = await activity.listRepoEvents(tides);
  assert.equal(data.length, 5);
  const again = activity.listRepoEvents({ ...tides, headers: { 'if-none-match': headers.etag ?? '' } });
  await assert.rejects(again, { status: 304 });
}

async function remembers(server: SpawnedServer, { key }: Deployment): Promise<void> {
  const send = caller(server, key);
  const created = await send('POST', '/api/memory', {
    key: 'tea',
    content: 'She drinks her tea without sugar.',
  });
  assert.equal(created.status, 201);
  const found = await send('POST', '/api/memory/retrieve-preview', { query: 'How does she take her tea?' });
  const { memories } = (await found.json()) as { memories: { key: string }[] };
  assert.equal(memories[0]?.key, 'tea');
}

async function keepsPresets(server: SpawnedServer, { key }: Deployment): Promise<void> {
  const send = caller(server, key);
  const preset = { name: 'Short', endpoint: 'chat.completions', model: 'up/chat' };
  const { id } = (await (await send('POST', '/api/playground/presets', preset)).json()) as { id: string };
  const { presets } = (await (await send('GET', '/api/playground/presets')).json()) as {
    presets: { id: string }[];
  };
  assert.deepEqual(
    presets.map((one) => one.id),
    [id],
  );
}

async function logsIn({ url }: SpawnedServer, { adminPassword }: Deployment): Promise<void> {
  const body = JSON.stringify({ password: adminPassword });
  const login = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  assert.equal(login.status, 200);
  const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  assert.match(cookie, /^plugboard_session=/);
  assert.equal((await fetch(`${url}/api/settings/memory`, { headers: { cookie } })).status, 200);
  assert.equal((await fetch(`${url}/api/settings/memory`)).status, 401);
}
