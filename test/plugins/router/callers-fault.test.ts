/** What is about one request rests no key and no model, and goes to another target where the route says so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Behaviour } from '../../support/peers/upstream.js';
import { bootRouter, chat, type RouterServer } from './support/boot.js';

const PATH = '/v1/chat/completions';

const refusal = (status: number, error: object, headers: Record<string, string> = {}): Behaviour => ({
  kind: 'status',
  status,
  headers,
  body: { error },
});

const TOO_LARGE: readonly (readonly [string, Behaviour])[] = [
  [
    'a 402 that asks for fewer max_tokens',
    refusal(402, {
      message:
        'This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 1200.',
      code: 402,
    }),
  ],
  [
    'a 429 that says the request is too large',
    refusal(
      429,
      {
        message:
          'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 51000. The input or output tokens must be reduced in order to run successfully.',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
      { 'retry-after': '60' },
    ),
  ],
  [
    'a 413 of tokens a minute',
    refusal(413, {
      message: 'Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 12000',
      code: 'rate_limit_exceeded',
    }),
  ],
  [
    'a prompt that is too long in the words of Anthropic',
    refusal(400, {
      type: 'invalid_request_error',
      message: 'prompt is too long: 210000 tokens > 200000 maximum',
    }),
  ],
];

const FILTERED: readonly (readonly [string, Behaviour])[] = [
  [
    "Azure's filter of the prompt",
    refusal(400, {
      message:
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      code: 'content_filter',
      innererror: { code: 'ResponsibleAIPolicyViolation' },
    }),
  ],
  ['an answer that ends filtered', { kind: 'ok', content: '', finish: 'content_filter' }],
];

const ask = async (router: RouterServer, model: string, more: object = {}): Promise<number> =>
  (await router.post(PATH, chat(model, more))).status;

for (const [name, behaviour] of TOO_LARGE) {
  test(`${name} is the request's fault: nobody else waits for it`, async () => {
    await using router = await bootRouter();
    const other = await router.server.key('chat');
    router.upstreams[0]?.next(behaviour, behaviour);
    for (const more of [{}, { stream: true }]) {
      const refused = await router.post(PATH, chat('a/m', { max_tokens: 65_536, ...more }));
      assert.ok(refused.status === 400 || refused.status === 413, `${refused.status}`);
      assert.equal(refused.headers.get('retry-after'), null, 'coming back later would not help');
      const { error } = (await refused.json()) as { error: { code: string; message: string } };
      assert.equal(error.code, 'upstream_rejected');
    }
    assert.equal((await router.post(PATH, chat('a/m'), { key: other })).status, 200);
    assert.equal(await ask(router, 'a/m'), 200);
    assert.equal(await ask(router, 'a/n'), 200);
  });

  test(`${name} goes to the next target, unless the route says otherwise`, async () => {
    await using router = await bootRouter(['a', 'b'], {
      routes: {
        usual: { targets: ['a/m', 'b/m'] },
        strict: { targets: ['a/m', 'b/m'], fallbackOn: [] },
      },
    });
    const [a, b] = router.upstreams;
    a?.always(behaviour);
    assert.equal(await ask(router, 'usual'), 200);
    assert.equal(await ask(router, 'usual', { stream: true }), 200);
    assert.equal(b?.requests.length, 2);
    assert.notEqual(await ask(router, 'strict'), 200);
    assert.equal(b?.requests.length, 2);
  });
}

test('a larger key of the same upstream may take what is too large for the first', async () => {
  await using router = await bootRouter(['a'], ([a]) => ({
    upstreams: [{ name: 'a', baseUrl: a?.url, apiKeys: ['poor', 'rich'] }],
  }));
  const [, [, tooLarge]] = TOO_LARGE as [unknown, readonly [string, Behaviour]];
  router.upstreams[0]?.when(({ headers }) => headers.authorization === 'Bearer poor', tooLarge);
  assert.deepEqual([await ask(router, 'a/m'), await ask(router, 'a/m')], [200, 200]);
});

for (const [name, behaviour] of FILTERED) {
  test(`${name} goes to the next target where the route says so`, async () => {
    await using router = await bootRouter(['a', 'b'], {
      routes: {
        usual: { targets: ['a/m', 'b/m'] },
        insistent: { targets: ['a/m', 'b/m'], fallbackOn: ['content_filter'] },
      },
    });
    const [a, b] = router.upstreams;
    a?.always(behaviour);
    for (const more of [{}, { stream: true }]) {
      assert.equal(
        (await router.post(PATH, chat('usual', more))).headers.get('x-plugboard-upstream') ?? 'a',
        'a',
      );
      const answer = await router.post(PATH, chat('insistent', more));
      assert.deepEqual([answer.status, answer.headers.get('x-plugboard-upstream')], [200, 'b']);
    }
    b?.always(behaviour);
    const refused = await router.post(PATH, chat('insistent'));
    const { error } = (await refused.json()) as { error: { upstream_code: string } };
    assert.deepEqual([refused.status, error.upstream_code], [400, 'content_filter']);
  });
}

test('an ordinary 402 and 429 still rest their key and their model', async () => {
  await using router = await bootRouter();
  const [a] = router.upstreams;
  a?.next(refusal(429, { message: 'Rate limit reached for m: Limit 30000, Used 29000, Requested 2000' }));
  assert.deepEqual(
    [await ask(router, 'a/m'), await ask(router, 'a/m'), await ask(router, 'a/n')],
    [429, 429, 200],
  );
  a?.next(refusal(402, { message: 'Insufficient credits' }));
  assert.deepEqual([await ask(router, 'a/n'), await ask(router, 'a/o')], [502, 503]);
});
