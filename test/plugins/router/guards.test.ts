/** Guards of requests and answers: patterns of the config, and those of other plugins. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MODELS, ServiceError, type ChatGuard } from 'plugboard/sdk';
import { bootRouter, chat, type RouterServer } from './support/boot.js';

const CARD = '4111 1111 1111 1111';
const patterns = {
  card: { pattern: '\\b\\d(?:[ -]?\\d){12,15}\\b', action: 'redact' },
  'project-x': { pattern: '(?i)\\bproject x\\b' },
};

test('what a pattern redacts reaches no model, in whatever dialect and place it is said', async () => {
  await using router = await bootRouter(['a'], { guards: { patterns } });
  const calls: [string, object][] = [
    ['/v1/chat/completions', chat('a/m', { messages: [{ role: 'user', content: `pay ${CARD}!` }] })],
    [
      '/v1/chat/completions',
      chat('a/m', {
        messages: [
          { role: 'user', content: [{ type: 'text', text: CARD }] },
          {
            role: 'assistant',
            tool_calls: [
              { id: 'c1', type: 'function', function: { name: 'pay', arguments: `{"card":"${CARD}"}` } },
            ],
          },
          { role: 'tool', tool_call_id: 'c1', content: `paid by ${CARD}` },
        ],
      }),
    ],
    ['/v1/responses', { model: 'a/m', instructions: CARD, input: `pay ${CARD}` }],
    [
      '/v1/messages',
      { model: 'a/m', max_tokens: 5, system: CARD, messages: [{ role: 'user', content: CARD }] },
    ],
    ['/v1beta/models/a/m:generateContent', { contents: [{ role: 'user', parts: [{ text: CARD }] }] }],
  ];
  for (const [path, body] of calls) {
    const answer = await router.post(path, body);
    assert.equal(answer.status, 200, `${path} ${await answer.text()}`);
    const sent = router.upstreams[0]!.requests.at(-1)!.text;
    assert.doesNotMatch(sent, /4111/, path);
    assert.match(sent, /\[card\]/, path);
  }
});

test('a request that a pattern refuses is 400 with the name of the guard, and nothing is sent or billed', async () => {
  await using router = await bootRouter(['a'], { guards: { patterns } });
  const secret = 'about PROJECT X: the launch is in May';
  for (const stream of [false, true]) {
    const answer = await router.post(
      '/v1/chat/completions',
      chat('a/m', { stream, messages: [{ role: 'user', content: secret }] }),
    );
    const { error } = (await answer.json()) as { error: Record<string, string> };
    assert.deepEqual(
      [answer.status, error['code'], error['guard'], error['guarded']],
      [400, 'guard_refused', 'project-x', 'request'],
    );
    assert.doesNotMatch(JSON.stringify(error), /May/);
  }
  assert.equal(router.upstreams[0]?.requests.length, 0);
});

test('what nobody found goes on as the client wrote it, digit by digit', async () => {
  await using router = await bootRouter(['a'], { guards: { patterns } });
  const text = '{"model":"a/m","seed":12345678901234567890,"messages":[{"role":"user","content":"hi"}]}';
  await fetch(`${router.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${router.key}`, 'content-type': 'application/json' },
    body: text,
  });
  assert.match(router.upstreams[0]!.requests[0]!.text, /12345678901234567890/);
});

test('an answer is redacted, whole and streamed, wherever the upstream cuts it', async () => {
  await using router = await bootRouter(['a'], { guards: { patterns, window: 30 } });
  const said = `before it ${CARD} and after it ${'more words '.repeat(40)}and ${CARD}`;
  router.upstreams[0]!.always({ kind: 'ok', content: said });
  const expected = said.replaceAll(CARD, '[card]');
  for (const [path, body] of Object.entries(BODIES)) {
    assert.equal(await saidIn(router, path, body), expected, path);
    assert.equal(await saidIn(router, path, { ...body, stream: true }), expected, `${path} streamed`);
  }
  const { total } = await router.usage(6);
  assert.deepEqual([total.calls, total.errors, total.tokensOut], [6, 0, 12]);
});

test('an answer that is refused is paid, and its model is not at fault', async () => {
  await using router = await bootRouter(['a'], { guards: { patterns }, breaker: { failures: 1 } });
  router.upstreams[0]!.always({ kind: 'ok', content: `it is about project X, and ${'so on '.repeat(100)}` });
  const whole = await router.post('/v1/chat/completions', chat('a/m'));
  const { error } = (await whole.json()) as { error: Record<string, string> };
  assert.deepEqual([whole.status, error['code'], error['guarded']], [400, 'guard_refused', 'answer']);
  const streamed = await router.post('/v1/chat/completions', chat('a/m', { stream: true }));
  const events = await streamed.text();
  assert.match(events, /"guard_refused"/);
  assert.doesNotMatch(events, /it is about|\[DONE\]/);
  const { total } = await router.usage(2);
  assert.deepEqual([total.calls, total.errors, total.tokensIn], [2, 2, 7]);
  assert.ok(total.estimatedOut > 0, 'what was cut off is estimated');
  router.upstreams[0]!.always({ kind: 'ok', content: 'fine' });
  assert.equal((await router.post('/v1/chat/completions', chat('a/m'))).status, 200);
});

test('nothing that no guard has seen reaches the client: other choices, log probabilities, unknown members', async () => {
  await using router = await bootRouter(['a'], { guards: { patterns } });
  const several = await router.post('/v1/chat/completions', chat('a/m', { n: 2 }));
  assert.deepEqual(
    [several.status, ((await several.json()) as { error: { code: string } }).error.code],
    [400, 'unguarded'],
  );
  for (const stream of [false, true]) {
    const bare = await router.post('/v1/completions', { model: 'a/m', prompt: 'hello', stream });
    assert.deepEqual(
      [bare.status, ((await bare.json()) as { error: { code: string } }).error.code],
      [400, 'unguarded'],
    );
  }
  const odd = {
    id: '1',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'fine', audio: CARD },
        logprobs: { content: [CARD] },
        finish_reason: 'stop',
      },
      { index: 1, message: { role: 'assistant', content: CARD }, finish_reason: 'stop' },
    ],
    note: CARD,
  };
  router.upstreams[0]!.always({ kind: 'nonsense', text: JSON.stringify(odd) });
  for (const stream of [false, true]) {
    const answer = await router.post('/v1/chat/completions', chat('a/m', { stream }));
    assert.equal(answer.status, 200);
    assert.doesNotMatch(await answer.text(), /4111/);
  }
});

test('a request that is too long is 413, also one of many small texts', async () => {
  await using router = await bootRouter(['a'], { guards: { maxCharacters: 100 } });
  const messages = Array.from({ length: 60 }, () => ({ role: 'user', content: 'ab' }));
  const answer = await router.post('/v1/chat/completions', chat('a/m', { messages }));
  const { error } = (await answer.json()) as { error: { code: string; message: string } };
  assert.deepEqual([answer.status, error.code], [413, 'request_too_long']);
  assert.match(error.message, /100 characters/);
  assert.equal((await router.post('/v1/chat/completions', chat('a/m'))).status, 200);
});

test('messages that are nested deep are refused, and the server goes on', async () => {
  await using router = await bootRouter(['a'], { guards: { patterns } });
  const deep = `{"model":"a/m","messages":[{"role":"user","content":${'['.repeat(90_000)}${']'.repeat(90_000)}}]}`;
  const answer = await fetch(`${router.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${router.key}`, 'content-type': 'application/json' },
    body: deep,
  });
  assert.equal(answer.status, 400);
});

test('a guard of another plugin sees both sides, and calls of plugins that no interceptor sees', async () => {
  await using router = await bootRouter();
  const models = router.server.service(MODELS);
  const guard: ChatGuard = {
    before: async (request) => ({ ...request, seen: true }),
    after: {
      window: 20,
      begin: ({ caller }) => {
        assert.equal(caller.kind, 'key');
        return (text, from) => {
          const start = text.indexOf('tea', from);
          return start < 0 ? [] : [{ start, end: start + 3, replacement: '***' }];
        };
      },
    },
  };
  const remove = models.guardChat(guard);
  router.upstreams[0]!.always({ kind: 'ok', content: 'a cup of tea for you and for everybody else here' });
  assert.match(
    await saidIn(router, '/v1/chat/completions', chat('a/m', { stream: true })),
    /cup of \*\*\* for/,
  );
  const caller = { kind: 'key', id: 'k', name: 'k', scopes: ['*'] } as const;
  const { choices } = await models.chat(chat('a/m') as never, { caller, purpose: 'test', intercept: false });
  assert.match(choices[0]!.message.content!, /cup of \*\*\* for/);
  assert.equal(
    router.upstreams[0]!.requests.every(({ body }) => body['seen'] === true),
    true,
  );
  remove();
  assert.match(await saidIn(router, '/v1/chat/completions', chat('a/m')), /cup of tea/);
});

test('a guard that fails lets nothing pass', async () => {
  await using router = await bootRouter();
  const failing = (error: Error): (() => void) =>
    router.server.service(MODELS).guardChat({
      after: {
        window: 0,
        begin: () => () => {
          throw error;
        },
      },
    });
  for (const [error, status] of [
    [new TypeError('inner text'), 500],
    [new ServiceError('not_today', { status: 403, message: 'not today' }), 403],
  ] as const) {
    const remove = failing(error);
    const answer = await router.post('/v1/chat/completions', chat('a/m'));
    assert.equal(answer.status, status);
    assert.doesNotMatch(await answer.text(), /inner text/);
    const streamed = await (await router.post('/v1/chat/completions', chat('a/m', { stream: true }))).text();
    assert.match(streamed, status === 403 ? /not_today/ : /guard_failed/);
    assert.doesNotMatch(streamed, /a a/);
    remove();
  }
});

test('a window beyond the bound is refused when the guard is registered', async () => {
  await using router = await bootRouter();
  const after = { window: 1e9, begin: () => () => [] };
  assert.throws(() => router.server.service(MODELS).guardChat({ after }), TypeError);
});

test('a pattern that cannot be one is a problem of the config', async () => {
  for (const [pattern, message] of [
    ['(', /no regular expression of RE2/],
    ['(?=x)y', /no regular expression of RE2/],
    ['a*', /matches where there is nothing/],
    ['(?:a{100}){1000}', /RE2|too large/],
  ] as const) {
    const boot = bootRouter([], { guards: { patterns: { p: { pattern } } } });
    await assert.rejects(boot, message, pattern);
  }
});

const BODIES: Readonly<Record<string, object>> = {
  '/v1/chat/completions': chat('a/m'),
  '/v1/responses': { model: 'a/m', input: 'hello' },
  '/v1/messages': { model: 'a/m', max_tokens: 5, messages: [{ role: 'user', content: 'hello' }] },
};

/** The text of an answer, whichever dialect and whether it is streamed. */
async function saidIn(router: RouterServer, path: string, body: object): Promise<string> {
  const answer = await router.post(path, body);
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  const parts = 'stream' in body ? text.split('\n') : [text];
  return parts
    .map((part) => part.replace(/^data: /, ''))
    .flatMap((part) => (part.startsWith('{') ? [JSON.parse(part) as Said] : []))
    .map(
      ({ type, delta, choices, content, output }) =>
        (type === 'response.output_text.delta' ? (delta as string) : undefined) ??
        choices?.[0]?.delta?.content ??
        choices?.[0]?.message?.content ??
        (typeof delta === 'object' ? delta.text : undefined) ??
        content?.[0]?.text ??
        output?.[0]?.content?.[0]?.text ??
        '',
    )
    .join('');
}

interface Text {
  readonly text?: string;
}

/** An answer, or an event of one, of any dialect. */
interface Said {
  readonly type?: string;
  readonly delta?: string | Text;
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string };
    readonly message?: { readonly content?: string };
  }[];
  readonly content?: readonly Text[];
  readonly output?: readonly { readonly content?: readonly Text[] }[];
}
