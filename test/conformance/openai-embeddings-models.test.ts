/** Embeddings and models through the `openai` package, unmodified. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import { bootRouter, type RouterServer } from '../plugins/router/support/boot.js';
import { DIMENSIONS } from '../support/peers/upstream.js';

const client = (router: RouterServer): OpenAI =>
  new OpenAI({ apiKey: router.key, baseURL: `${router.url}/api/v1`, maxRetries: 0 });

test('embeddings, in base64 as the client asks by default', async () => {
  await using router = await bootRouter();
  const { data, usage } = await client(router).embeddings.create({
    model: 'a/embed',
    input: ['one', 'three'],
  });
  assert.equal(router.upstreams[0]?.requests[0]?.body.encoding_format, 'base64');
  assert.deepEqual(
    data.map(({ embedding }) => Array.from(embedding)),
    [
      [3, 3.5, 4, 4.5],
      [5, 5.5, 6, 6.5],
    ],
  );
  assert.equal(usage.prompt_tokens, 2);
});

test('embeddings as numbers, with dimensions, of a single text', async () => {
  await using router = await bootRouter();
  const request = { model: 'a/embed', input: 'one', encoding_format: 'float' as const };
  const { data } = await client(router).embeddings.create({ ...request, dimensions: 2 });
  assert.deepEqual(data[0]?.embedding, [3, 3.5]);
  assert.equal((await client(router).embeddings.create(request)).data[0]?.embedding.length, DIMENSIONS);
});

test('the models are those declared, those discovered and the routes', async () => {
  await using router = await bootRouter(['a', 'b'], ([a, b]) => ({
    upstreams: [
      { name: 'a', baseUrl: a?.url, models: ['m', { name: 'vectors', kind: 'embedding', dimensions: 4 }] },
      { name: 'b', baseUrl: b?.url },
    ],
    routes: { fast: { targets: ['a/m'] } },
  }));
  const ids: string[] = [];
  for await (const { id } of client(router).models.list()) ids.push(id);
  assert.deepEqual(ids, ['fast', 'a/m', 'a/vectors', 'b/discovered']);
  assert.equal((await client(router).models.retrieve('a/m')).owned_by, 'a');
  await assert.rejects(client(router).models.retrieve('a/other'), OpenAI.NotFoundError);
});
