/** A caller who wants no thinking, at upstreams that speak OpenAI's APIs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anthropic } from '../../../plugins/router/dialects/anthropic/index.js';
import { responses } from '../../../plugins/router/dialects/responses/index.js';
import { bootRouter } from './support/boot.js';

/** What a model that does not think, or always thinks, answers 400 to. */
const EFFORTS: Readonly<Record<string, string | undefined>> = {
  'gpt-4o': undefined,
  'llama-3.3-70b': undefined,
  'qwen-3-235b-a22b-instruct-2507': undefined,
  'a-name-of-my-own': undefined,
  'gpt-5-pro': undefined,
  'gpt-5.1-chat-latest': undefined,
  'o1-mini': undefined,
  'o4-mini': 'low',
  'openai/gpt-oss-120b': 'low',
  'gpt-5.1-codex': 'low',
  'gpt-5-mini': 'minimal',
  'gpt-5.1': 'none',
  'openai/gpt-5.2': 'none',
  'Qwen/Qwen3-32B': 'none',
};

const asked = { max_tokens: 64, messages: [{ role: 'user', content: 'hello' }] };

test('thinking that is turned off is no effort that the model refuses', async () => {
  await using router = await bootRouter(['a']);
  const upstream = router.upstreams[0]!;
  const sent = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await router.post(path, body);
    assert.equal(answer.status, 200, await answer.text());
    return upstream.requests.at(-1)!.body;
  };
  for (const [model, effort] of Object.entries(EFFORTS)) {
    const body = { ...asked, model: `a/${model}` };
    const messages = await sent('/v1/messages', { ...body, thinking: { type: 'disabled' } });
    assert.equal(messages['reasoning_effort'], effort, model);
    const ollama = await sent('/api/chat', {
      model: body.model,
      messages: asked.messages,
      think: false,
      stream: false,
    });
    assert.equal(ollama['reasoning_effort'], effort, model);
  }
  const said = await sent('/v1/chat/completions', { ...asked, model: 'a/gpt-4o', reasoning_effort: 'none' });
  assert.equal(
    said['reasoning_effort'],
    'none',
    'what a client says in the words of the upstream is left to it',
  );
  const budget = { type: 'enabled', budget_tokens: 2_048 };
  const thinks = await sent('/v1/messages', {
    ...asked,
    max_tokens: 4_096,
    model: 'a/own',
    thinking: budget,
  });
  assert.equal(thinks['reasoning_effort'], 'low');
});

test('the same at an upstream that speaks Responses', () => {
  for (const [model, effort] of Object.entries(EFFORTS)) {
    const request = anthropic.readRequest({ ...asked, model, thinking: { type: 'disabled' } });
    const written = responses.writeRequest(request, { model, stream: false });
    assert.deepEqual(written['reasoning'], effort === undefined ? undefined : { effort }, model);
  }
});
