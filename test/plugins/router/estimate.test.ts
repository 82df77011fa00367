/** What calls take of which the upstream does not say it. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MOST_CHARACTERS, tokensOfRequest, tokensOfText } from '../../../plugins/router/estimate/count.js';
import { Estimator } from '../../../plugins/router/estimate/estimator.js';
import { eventually } from '../../support/eventually.js';
import { builtIn } from '../../support/built-in.js';
import { bootRouter, chat, type RouterServer } from './support/boot.js';

const estimator = new Estimator();
after(() => estimator.close());

interface Call {
  readonly tokensIn: number | null;
  readonly tokensOut: number | null;
  readonly estimatedIn: number | null;
  readonly estimatedOut: number | null;
  readonly errorCode: string | null;
}

async function lastCall(router: RouterServer, calls = 1): Promise<Call> {
  await router.usage(calls);
  const { data } = (await (await router.get('/api/usage/calls')).json()) as { data: Call[] };
  return data[0] ?? assert.fail('no call');
}

/** Reads until `text` was in the stream, and leaves it. */
async function leaveAfter(answer: Response, text: string): Promise<void> {
  const reader = answer.body!.getReader();
  const decoder = new TextDecoder();
  for (let read = ''; !read.includes(text);) {
    const { value, done } = await reader.read();
    assert.equal(done, false, 'the stream ended before');
    read += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
}

test('a conversation has the tokens that its vendor counts, within a twentieth', () => {
  // The example of OpenAI's cookbook ("How to count tokens with tiktoken"), 124 for gpt-4o.
  const messages = [
    'You are a helpful, pattern-following assistant that translates corporate jargon into plain English.',
    'New synergies will help drive top-line growth.',
    'Things working well together will increase revenue.',
    "Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage.",
    "Let's talk later when we're less busy about how to do better.",
    "This late pivot means we don't have time to boil the ocean for the client deliverable.",
  ].map((content, at) => ({
    role: at === 5 ? 'user' : 'system',
    ...(at > 0 && at < 5 && { name: at % 2 === 1 ? 'example_user' : 'example_assistant' }),
    content,
  }));
  const tokens = tokensOfRequest(JSON.stringify({ model: 'gpt-4o', messages, temperature: 0 }));
  assert.ok(Math.abs(tokens - 124) <= 124 / 20, `${tokens}`);
});

test('what the tokenizer is slow on is counted in pieces, and a text without end by its beginning', () => {
  assert.equal(tokensOfText('a'.repeat(50_000)) > 5_000, true);
  const [short, long] = [
    tokensOfText('word '.repeat(MOST_CHARACTERS / 5)),
    tokensOfText('word '.repeat(MOST_CHARACTERS)),
  ];
  assert.ok(Math.abs(long / short - 5) < 0.01);
  assert.equal(tokensOfText('<|endoftext|>') > 1, true, 'is text and no command');
  assert.equal(
    tokensOfText('😀'.repeat(1_000)),
    4 * tokensOfText('😀'.repeat(250)),
    'no character is cut in two',
  );
});

test('a body as deep as it may be sent is counted', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  assert.equal(tokensOfRequest(`{"messages":${deep}}`), 3);
});

test('the event loop goes on while a long text is counted, and what is too much to wait for is estimated by its length', async () => {
  const long = 'x'.repeat(20_000_000);
  const counted = estimator.estimate({ request: long, answer: null });
  const atOnce = await estimator.estimate({ request: long, answer: { characters: 40 } });
  assert.deepEqual(atOnce, { request: 5_000_000, answer: 10 });
  assert.notEqual((await counted).request, 5_000_000);
});

test('a stream that its client leaves costs what came of it', async () => {
  await using router = await bootRouter();
  const [upstream] = router.upstreams;
  upstream!.always({ kind: 'paced', pieces: 1_000, every: 1 });
  await leaveAfter(await router.post('/v1/chat/completions', chat('a/m', { stream: true })), '"50 "');
  const call = await lastCall(router);
  assert.deepEqual([call.errorCode, call.tokensIn, call.tokensOut], ['client_closed_request', null, null]);
  assert.ok((call.estimatedIn ?? 0) >= 5);
  assert.ok((call.estimatedOut ?? 0) >= 50, `${call.estimatedOut}`);
  const { total } = await router.usage(1);
  assert.equal(total.unmetered, 1);
});

test('a stream that its client leaves before the first word costs its request', async () => {
  await using router = await bootRouter();
  router.upstreams[0]!.always({ kind: 'hang', where: 'before first event' });
  const leaving = new AbortController();
  const asked = router.post('/v1/chat/completions', chat('a/m', { stream: true }), {
    signal: leaving.signal,
  });
  await eventually(() => router.upstreams[0]!.requests.length === 1, 'the request to be out');
  leaving.abort();
  await assert.rejects(asked);
  const call = await lastCall(router);
  assert.ok((call.estimatedIn ?? 0) >= 5);
  assert.equal(call.estimatedOut, null);
});

test('a stream that breaks off costs what came of it; a call that failed costs nothing', async () => {
  await using router = await bootRouter();
  router.upstreams[0]!.next({ kind: 'break', where: 'mid stream' }, { kind: 'status', status: 500 });
  await (await router.post('/v1/chat/completions', chat('a/m', { stream: true }))).text();
  const broken = await lastCall(router);
  assert.deepEqual([broken.tokensOut, broken.estimatedOut! >= 1], [null, true]);
  await router.post('/v1/chat/completions', chat('a/m'));
  const failed = await lastCall(router, 2);
  assert.deepEqual([failed.estimatedIn, failed.estimatedOut], [null, null]);
});

test('an answer without counts is estimated, and one with them is not', async () => {
  await using router = await bootRouter();
  const content = 'one two three four five six seven eight nine ten';
  router.upstreams[0]!.next({ kind: 'ok', usage: false, content });
  await router.post('/v1/chat/completions', chat('a/m'));
  const call = await lastCall(router);
  assert.deepEqual([call.tokensIn, call.tokensOut, call.estimatedOut], [null, null, 10]);
  await router.post('/v1/chat/completions', chat('a/m'));
  const counted = await lastCall(router, 2);
  assert.deepEqual([counted.tokensIn, counted.estimatedIn, counted.estimatedOut], [7, null, null]);
});

test('leaving streams does not pass a limit of tokens', async () => {
  const ratelimit = await builtIn('ratelimit');
  const limits = { lease: 40, categories: { chat: { key: 1_000, tokens: 200 } } };
  await using router = await bootRouter(['a'], {}, { plugins: [{ plugin: ratelimit, config: limits }] });
  router.upstreams[0]!.always({ kind: 'paced', pieces: 1_000, every: 1 });
  const ask = (): Promise<Response> => router.post('/v1/chat/completions', chat('a/m', { stream: true }));
  for (let left = 1; left <= 2; left += 1) {
    await leaveAfter(await ask(), '"80 "');
    await router.usage(left);
  }
  await eventually(async () => {
    const answer = await ask();
    if (answer.status === 429) return true;
    await answer.body!.cancel();
    return false;
  }, 'the limit to be reached');
});
