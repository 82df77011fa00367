/** What calls cost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calcPrice } from '@pydantic/genai-prices';
import { costOf, type Rates } from '../../../plugins/router/money/cost.js';
import { Prices } from '../../../plugins/router/money/prices.js';
import { bootRouter, chat } from './support/boot.js';

const OPENAI = { name: 'openai', baseUrl: 'https://api.openai.com/v1', kind: { vendor: undefined } };
const AZURE = { name: 'az', baseUrl: 'https://mine.example', kind: { vendor: 'azure' } };
const LOCAL = { name: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1', kind: { vendor: undefined } };
const TOKENS = { input: 1_000_000, output: 0, cached: 0, cacheWritten: 0 };

const MODELS: Readonly<Record<string, readonly string[]>> = {
  openai: [
    'gpt-5',
    'gpt-5-mini',
    'gpt-5-nano',
    'gpt-4o',
    'gpt-4o-mini',
    'o3',
    'o4-mini',
    'gpt-4.1',
    'text-embedding-3-small',
    'text-embedding-3-large',
  ],
  anthropic: [
    'claude-sonnet-4-5',
    'claude-opus-4-1',
    'claude-haiku-4-5',
    'claude-3-5-haiku-latest',
    'claude-3-opus-latest',
  ],
  google: [
    'gemini-2.5-pro',
    'gemini-2.5-flash',
    'gemini-2.5-flash-lite',
    'gemini-2.0-flash',
    'gemini-1.5-pro',
  ],
  azure: ['gpt-4o', 'gpt-4o-mini', 'o3-mini', 'gpt-4.1', 'gpt-4'],
  mistral: ['mistral-large-latest', 'mistral-small-latest', 'codestral-latest', 'open-mistral-nemo'],
  groq: ['llama-3.3-70b-versatile', 'llama-3.1-8b-instant', 'gemma2-9b-it'],
  deepseek: ['deepseek-chat', 'deepseek-reasoner'],
  cohere: ['command-r', 'command-r-plus', 'command-a'],
  'x-ai': ['grok-3', 'grok-3-mini', 'grok-4-0709'],
};

test('a cost is what the package of prices works out, for models of nine vendors below and above their tiers', () => {
  let compared = 0;
  for (const [providerId, models] of Object.entries(MODELS))
    for (const model of models)
      for (const input of [1_000, 128_001, 250_000]) {
        const usage = { input_tokens: input, output_tokens: 500, cache_read_tokens: 300 };
        const timestamp = new Date('2026-06-01T12:00:00Z');
        const found = calcPrice(usage, model, { providerId, timestamp });
        assert.notEqual(found, null, `${providerId}/${model} has a price`);
        const { model_price: rates, total_price: expected } = found!;
        const cost = costOf(rates as Rates, { input, output: 500, cached: 300, cacheWritten: 0 });
        assert.ok(
          Math.abs(cost - expected) < 1e-9,
          `${providerId}/${model} at ${input}: ${cost}, not ${expected}`,
        );
        compared += 1;
      }
  assert.equal(compared, 120);
});

test('tokens that go into a cache cost what that costs, and without a price of their own what all input does', () => {
  const tokens = { input: 1_000, output: 0, cached: 200, cacheWritten: 300 };
  assert.equal(costOf({ input_mtok: 1, cache_read_mtok: 0.1, cache_write_mtok: 2 }, tokens), 0.00112);
  assert.equal(costOf({ input_mtok: 1 }, tokens), 0.001);
});

test("a price of the config goes before the vendor's, and what has none is unknown and not free", async () => {
  const prices = new Prices({
    'ollama/*': { input: 0, output: 0 },
    'openai/gpt-5-mini': { input: 9, output: 1 },
  });
  await prices.load();
  assert.equal(prices.of(OPENAI, 'gpt-5-mini')?.cost(TOKENS), 9);
  assert.equal(prices.of(LOCAL, 'qwen3')?.cost(TOKENS), 0);
  assert.equal(prices.of(OPENAI, 'no-such-model'), undefined);
  assert.equal(prices.of({ ...LOCAL, name: 'vllm' }, 'gpt-5-mini'), undefined, 'who serves it is unknown');
});

test('a deployment of any name has the price of the model that it serves', async () => {
  const prices = new Prices({});
  await prices.load();
  assert.equal(prices.of(AZURE, 'our-chat'), undefined);
  assert.equal(prices.of(AZURE, 'our-chat', 'gpt-4o-2024-08-06')?.id, 'gpt-4o');
});

test('a call says what it cost, and the sums of usage do, by person, tag and hour', async () => {
  await using router = await bootRouter(['a'], { prices: { 'a/m': { input: 1, output: 10, cached: 0.5 } } });
  const cost = (4 * 1 + 3 * 0.5 + 2 * 10) / 1e6;
  const ask = (tags: string, user: string): Promise<Response> =>
    fetch(`${router.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${router.key}`,
        'content-type': 'application/json',
        'x-plugboard-tags': tags,
      },
      body: JSON.stringify(chat('a/m', { user })),
    });
  const answer = await ask('batch, night', 'ann');
  assert.equal(answer.headers.get('x-plugboard-cost'), cost.toFixed(9));
  await ask('night', 'ben');
  await router.post('/v1/chat/completions', chat('a/other'));
  const rows = async (group: string): Promise<[string, number, number][]> =>
    (await router.usage(3, group)).data.map(({ name, calls, cost: sum }) => [
      name,
      calls,
      Math.round(sum * 1e9),
    ]);
  const nano = Math.round(cost * 1e9);
  assert.deepEqual(await rows('tag'), [
    ['night', 2, 2 * nano],
    ['batch', 1, nano],
    ['none', 1, 0],
  ]);
  assert.deepEqual((await rows('person')).toSorted(), [
    ['ann', 1, nano],
    ['ben', 1, nano],
    ['none', 1, 0],
  ]);
  const [[hour = '', calls] = assert.fail()] = await rows('hour');
  assert.match(hour, /^\d{4}-\d\d-\d\dT\d\d:00:00Z$/);
  assert.equal(calls, 3);
  const { total } = await router.usage(3);
  assert.deepEqual([Math.round(total.cost * 1e9), total.unpriced], [2 * nano, 1]);
});
