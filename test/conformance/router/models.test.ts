/** Models, token counts and vectors as the clients of each vendor ask for them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { bootRouter, type RouterServer } from '../../plugins/router/support/boot.js';
import { Vendor } from './vendor.js';

let vendor: Vendor;
let router: RouterServer;
let google: GoogleGenAI;

before(async () => {
  vendor = await Vendor.start();
  router = await bootRouter(['a'], ([a]) => ({
    upstreams: [
      { name: 'a', baseUrl: a?.url, models: ['m', { name: 'embedding-m', kind: 'embedding' }] },
      { name: 'gemini', dialect: 'gemini', baseUrl: vendor.url, models: ['m', 'embedding-m'] },
    ],
  }));
  google = new GoogleGenAI({ apiKey: router.key, httpOptions: { baseUrl: router.url } });
});
after(async () => {
  await router[Symbol.asyncDispose]();
  await vendor[Symbol.asyncDispose]();
});

const IDS = ['a/m', 'a/embedding-m', 'gemini/m', 'gemini/embedding-m'];

test('each client lists the models and reads one', async () => {
  const openai = new OpenAI({ apiKey: router.key, baseURL: `${router.url}/v1` });
  const anthropic = new Anthropic({ apiKey: router.key, baseURL: router.url });
  const listed = async (models: AsyncIterable<{ id: string }>): Promise<string[]> => {
    const ids: string[] = [];
    for await (const { id } of models) ids.push(id);
    return ids;
  };
  assert.deepEqual(await listed(await openai.models.list()), IDS);
  assert.deepEqual(await listed(await anthropic.models.list()), IDS);
  const names: (string | undefined)[] = [];
  for await (const { name } of await google.models.list()) names.push(name);
  assert.deepEqual(
    names,
    IDS.map((id) => `models/${id}`),
  );
  assert.equal((await openai.models.retrieve('a/m')).object, 'model');
  assert.deepEqual(await anthropic.models.retrieve('a/m').then(({ id, type }) => [id, type]), [
    'a/m',
    'model',
  ]);
  assert.equal((await google.models.get({ model: 'a/m' })).name, 'models/a/m');
  await assert.rejects(google.models.get({ model: 'a/none' }), { status: 404 });
});

test("Google's clients have tokens counted by the vendor, or estimated", async () => {
  vendor.seen.length = 0;
  await google.models.countTokens({ model: 'gemini/m', contents: 'hello there' });
  assert.equal(vendor.seen[0]?.path, '/v1beta/models/m:countTokens');
  const { totalTokens } = await google.models.countTokens({ model: 'a/m', contents: 'hello there' });
  assert.ok(totalTokens !== undefined && totalTokens > 0);
});

test("Google's clients have texts embedded by any upstream, and what only Google knows is refused elsewhere", async () => {
  const { embeddings } = await google.models.embedContent({
    model: 'a/embedding-m',
    contents: ['one', 'two'],
  });
  assert.deepEqual(
    embeddings?.map(({ values }) => values?.length),
    [4, 4],
  );
  const config = { taskType: 'RETRIEVAL_QUERY' };
  await assert.rejects(
    google.models.embedContent({ model: 'a/embedding-m', contents: 'one', config }),
    (error: Error) => error.message.includes('taskType'),
  );
  vendor.seen.length = 0;
  await assert.rejects(google.models.embedContent({ model: 'gemini/embedding-m', contents: 'one', config }));
  assert.deepEqual(vendor.seen[0]?.body['requests'], [
    {
      model: 'models/embedding-m',
      content: { role: 'user', parts: [{ text: 'one' }] },
      taskType: 'RETRIEVAL_QUERY',
    },
  ]);
});

test('a key without the scope of embeddings makes none on the path of both', async () => {
  const key = await router.server.key('chat');
  const path = '/v1beta/models/a/embedding-m:embedContent';
  const refused = await router.post(path, { content: { parts: [{ text: 'one' }] } }, { key });
  assert.equal(refused.status, 403);
});
