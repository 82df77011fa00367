/** What of a client's request reaches a vendor, what never does, and what is refused before the call. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { definePlugin, MODELS, Type } from 'plugboard/sdk';
import { bootRouter, type RouterServer } from '../../plugins/router/support/boot.js';
import { anthropicClient, CLIENTS, googleClient } from './clients.js';
import { Vendor } from './vendor.js';

let vendor: Vendor;
let router: RouterServer;

const upstreamsAt = (url: string) => {
  const model = { apiKey: 'vendor-secret' };
  return [
    { name: 'chat', baseUrl: `${url}/v1`, ...model },
    { name: 'responses', baseUrl: `${url}/v1`, wire: 'responses', ...model },
    { name: 'anthropic', dialect: 'anthropic', baseUrl: url, ...model },
    { name: 'gemini', dialect: 'gemini', baseUrl: url, ...model },
    { name: 'azure', dialect: 'azure', baseUrl: url, ...model },
  ];
};

before(async () => {
  vendor = await Vendor.start();
  router = await bootRouter([], {
    upstreams: upstreamsAt(vendor.url),
    routes: { either: { targets: ['anthropic/m', 'chat/m'] } },
  });
});
beforeEach(() => void (vendor.seen.length = 0));
after(async () => {
  await router[Symbol.asyncDispose]();
  await vendor[Symbol.asyncDispose]();
});

const ask = (path: string, body: unknown, headers: Record<string, string> = {}, url = router.url) =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': router.key, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const MESSAGES = { model: 'anthropic/m', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] };
const CHAT = { model: 'chat/m', messages: [{ role: 'user', content: 'hi' }] };
const CONTENTS = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };

test("what a vendor's own SDK sends is what the vendor gets, but for the model's name and the key", async () => {
  const task = { tools: true, thinking: true, image: true };
  for (const [make, upstream] of [
    [anthropicClient, 'anthropic'],
    [googleClient, 'gemini'],
  ] as const) {
    for (const stream of [false, true]) {
      await make(vendor.url, 'vendor-secret').run('m', { ...task, stream });
      await make(router.url, router.key).run(`${upstream}/m`, { ...task, stream });
    }
    const [plain, plainStream, through, throughStream] = [0, 2, 1, 3].map((at) => vendor.seen[at]);
    for (const [direct, passed] of [
      [plain, through],
      [plainStream, throughStream],
    ] as const) {
      assert.equal(passed?.path, direct?.path);
      assert.deepEqual(passed?.body, direct?.body);
      for (const header of ['anthropic-version', 'x-goog-api-key'])
        assert.equal(passed?.headers[header], direct?.headers[header], header);
      assert.ok(!JSON.stringify(passed?.headers).includes(router.key), 'our key goes to nobody');
    }
    vendor.seen.length = 0;
  }
});

test('a request in the same dialect passes as it was written, with members that nobody here knows', async () => {
  const text = `{"max_tokens":10, "future":{"big":12345678901234567890},"model":"anthropic/m","messages":[{"role":"user","content":"hi"}]}`;
  const answer = await ask('/v1/messages', text, {
    'anthropic-beta': 'context-1',
    'anthropic-version': '2026-10-21',
  });
  assert.equal(answer.status, 200);
  const [seen] = vendor.seen;
  assert.ok('future' in (seen?.body ?? {}));
  assert.deepEqual(
    [seen?.headers['anthropic-beta'], seen?.headers['anthropic-version'], seen?.headers['x-api-key']],
    ['context-1', '2026-10-21', 'vendor-secret'],
  );
});

test("betas of Anthropic's clients go to nobody else", async () => {
  await ask('/v1/messages', { ...MESSAGES, model: 'chat/m' }, { 'anthropic-beta': 'context-1' });
  const [seen] = vendor.seen;
  assert.deepEqual(
    [seen?.headers['anthropic-beta'], seen?.headers['anthropic-version']],
    [undefined, undefined],
  );
});

test('what an upstream cannot say is refused before the call, by the name that the client has for it', async () => {
  for (const [path, body, param] of [
    ['/v1/chat/completions', { ...CHAT, model: 'anthropic/m', seed: 1 }, 'seed'],
    ['/v1/chat/completions', { ...CHAT, model: 'gemini/m', logprobs: true }, 'logprobs'],
    ['/v1/chat/completions', { ...CHAT, model: 'gemini/m', n: 2 }, 'n'],
    ['/v1/chat/completions', { ...CHAT, model: 'responses/m', stop: ['x'] }, 'stop'],
    ['/v1/messages', { ...MESSAGES, model: 'responses/m', top_k: 3 }, 'top_k'],
    ['/v1/messages', { ...MESSAGES, model: 'chat/m', container: 'c' }, 'container'],
    [
      '/v1/messages',
      { ...MESSAGES, model: 'gemini/m', tools: [{ type: 'web_search_20250305', name: 'w' }] },
      'tools',
    ],
    ['/v1beta/models/responses/m:generateContent', { ...CONTENTS, cachedContent: 'x' }, 'cachedContent'],
    [
      '/v1beta/models/anthropic/m:generateContent',
      { ...CONTENTS, generationConfig: { seed: 1 } },
      'generationConfig.seed',
    ],
    ['/v1/responses', { model: 'anthropic/m', input: 'hi', max_tool_calls: 3 }, 'max_tool_calls'],
    [
      '/v1/responses',
      { model: 'responses/m', input: 'hi', previous_response_id: 'resp_1' },
      'previous_response_id',
    ],
    ['/v1/responses', { model: 'responses/m', input: 'hi', background: true }, 'background'],
    [
      '/v1/responses',
      {
        model: 'responses/m',
        input: [
          { role: 'user', content: 'hi' },
          { type: 'item_reference', id: 'rs_1' },
        ],
      },
      'input[1]',
    ],
  ] as const) {
    const refused = await ask(path, body);
    assert.equal(refused.status, 400, `${path} ${param}`);
    assert.ok((await refused.text()).includes(param), param);
  }
  assert.equal(vendor.seen.length, 0);
});

test('a client that takes calls one after another gets one, also of a vendor that cannot be told', async () => {
  const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }];
  const body = { ...CHAT, model: 'gemini/m', tools, parallel_tool_calls: false };
  const whole = (await (await ask('/v1/chat/completions', body)).json()) as {
    choices: { message: { tool_calls: object[] } }[];
  };
  assert.equal(whole.choices[0]?.message.tool_calls.length, 1);
  const streamed = await (await ask('/v1/chat/completions', { ...body, stream: true })).text();
  assert.match(streamed, /Seoul/);
  assert.doesNotMatch(streamed, /Jeju/);
  assert.match(streamed, /"finish_reason":"tool_calls"/);
});

test('a route goes on to the upstream that can say it', async () => {
  const answer = await ask('/v1/chat/completions', { ...CHAT, model: 'either', seed: 1 });
  assert.deepEqual([answer.status, answer.headers.get('x-plugboard-upstream')], [200, 'chat']);
});

test('what clients send unasked is left out, and said', async () => {
  const body = {
    model: 'anthropic/m',
    input: 'hi',
    metadata: { a: 'b' },
    tools: [
      { type: 'web_search' },
      { type: 'custom', name: 'apply_patch', description: 'patches', format: { type: 'text' } },
    ],
  };
  const answer = await ask('/v1/responses', body);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.headers.get('x-plugboard-omitted')?.split(', ').toSorted(), [
    'metadata',
    'tools.web_search',
  ]);
  const tools = vendor.seen[0]?.body['tools'] as { name: string }[];
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['apply_patch'],
  );
});

test('signatures come back to their vendor through any client, and never reach another one', async () => {
  for (const make of CLIENTS) {
    const client = make(router.url, router.key);
    for (const stream of [false, true]) {
      vendor.seen.length = 0;
      await client.run('anthropic/m', { thinking: true, tools: true, roundTrip: true, stream });
      const anthropic = JSON.stringify(vendor.seen[1]?.body['messages']);
      // LangChain and the SDKs send back what they know of: the streaming helper of `openai` drops our member.
      const keeps = !(stream && /openai chat|Azure/.test(client.name));
      if (keeps) assert.match(anthropic, /"signature":"anthropic-signature"/, `${client.name} ${stream}`);
      assert.doesNotMatch(anthropic, /plugboard-signature/);
      vendor.seen.length = 0;
      await client.run('gemini/m', { thinking: true, tools: true, roundTrip: true, stream });
      const gemini = JSON.stringify(vendor.seen[1]?.body['contents']);
      if (keeps) assert.match(gemini, /"thoughtSignature":"gemini-signature"/, `${client.name} ${stream}`);
      assert.doesNotMatch(gemini, /plugboard-signature/);
    }
  }
  vendor.seen.length = 0;
  const foreign = (signature: string) => ({
    ...MESSAGES,
    messages: [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature },
          { type: 'text', text: 'yes' },
        ],
      },
      { role: 'user', content: 'go on' },
    ],
  });
  await ask('/v1/messages', foreign('plugboard-signature:gemini:secret'));
  assert.doesNotMatch(JSON.stringify(vendor.seen[0]?.body), /secret|thinking/);
  await ask('/v1/messages', { ...foreign('own'), model: 'gemini/m' });
  assert.doesNotMatch(JSON.stringify(vendor.seen[1]?.body), /own|hm/);
});

test('errors on their paths have the shape that the clients of each vendor read', async () => {
  const shapes = async (path: string, body: unknown, headers = {}): Promise<string> => {
    const answer = (await (await ask(path, body, headers)).json()) as {
      type?: string;
      error: { status?: string };
    };
    return answer.type === 'error' ? 'anthropic' : answer.error.status === undefined ? 'openai' : 'google';
  };
  for (const [body, headers] of [
    ['{', {}],
    [{}, {}],
    [{ ...MESSAGES, ...CONTENTS, input: 'x', model: 'nowhere/m' }, {}],
    [{ ...MESSAGES, ...CONTENTS, input: 'x' }, { 'x-api-key': 'wrong' }],
  ] as const) {
    assert.equal(await shapes('/v1/messages', body, headers), 'anthropic');
    assert.equal(await shapes('/v1/messages/count_tokens', body, headers), 'anthropic');
    assert.equal(await shapes('/v1beta/models/nowhere/m:generateContent', body, headers), 'google');
    assert.equal(await shapes('/v1/responses', body, headers), 'openai');
  }
  assert.equal(await shapes('/v1beta/unknown', {}), 'google');
  assert.equal(await shapes('/v1beta/models/chat/m:embed', CONTENTS), 'google');
});

test("Google's clients ask v1 or v1beta, and some leave `models/` out of a name with a slash", async () => {
  for (const path of ['/v1/models/chat/m', '/v1beta/chat/m', '/v1beta/models/chat/m']) {
    const answer = await ask(`${path}:generateContent`, CONTENTS);
    assert.equal(answer.status, 200, path);
    const refused = await ask(`${path.replace('chat/m', 'nowhere/m')}:generateContent`, CONTENTS);
    const { error } = (await refused.json()) as { error: { status: string } };
    assert.equal(error.status, 'NOT_FOUND', path);
  }
});

test("what strict clients check holds: no null in a text block, base64 in Google's signatures, one text for one answer", async () => {
  const message = (await (await ask('/v1/messages', { ...MESSAGES, model: 'chat/m' })).json()) as {
    content: object[];
  };
  assert.deepEqual(message.content, [{ type: 'text', text: 'grüß dich 😀' }]);
  const thought = await ask('/v1beta/models/anthropic/m:generateContent', {
    ...CONTENTS,
    generationConfig: { thinkingConfig: { thinkingBudget: 2_048 } },
  });
  const { candidates } = (await thought.json()) as {
    candidates: { content: { parts: { thoughtSignature?: string }[] } }[];
  };
  const signature = candidates[0]?.content.parts[0]?.thoughtSignature ?? '';
  assert.equal(Buffer.from(signature, 'base64').toString('base64'), signature);
  const response = (await (await ask('/v1/responses', { model: 'gemini/m', input: 'hi' })).json()) as {
    output: { content: { text: string }[] }[];
  };
  assert.deepEqual(
    response.output.map(({ content }) => content.map(({ text }) => text)),
    [['grüß dich 😀']],
  );
});

test("keys are taken from where each vendor's clients put them", async () => {
  for (const [path, headers] of [
    ['/v1beta/models/chat/m:generateContent', { 'x-goog-api-key': router.key }],
    ['/openai/deployments/chat/m/chat/completions?api-version=1', { 'api-key': router.key }],
    [`/v1beta/models/chat/m:generateContent?key=${router.key}`, {}],
    ['/v1/chat/completions', { authorization: `Bearer ${router.key}` }],
  ] as const) {
    const answer = await fetch(router.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(path.startsWith('/v1beta') ? CONTENTS : CHAT),
    });
    assert.equal(answer.status, 200, path);
    const without = await fetch(router.url + path.split('?')[0], {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(path.startsWith('/v1beta') ? CONTENTS : CHAT),
    });
    assert.equal(without.status, 401, path);
  }
});

test('the model that a path names is the one that is called', async () => {
  await ask('/openai/deployments/chat/m/chat/completions', { ...CHAT, model: 'evil' });
  assert.equal(vendor.seen[0]?.body['model'], 'm');
  for (const model of ['..', '../../admin', 'm?key=x', 'a/../../b']) {
    vendor.seen.length = 0;
    await ask('/v1/chat/completions', { ...CHAT, model: `gemini/${model}` });
    assert.match(vendor.seen[0]?.path ?? '', /^\/v1beta\/models\/[^/?]+:generateContent$/, model);
    assert.doesNotMatch(vendor.seen[0]?.path ?? '', /models\/\.+:/);
  }
});

test('a body that is deep or no request of its dialect is refused, and costs no call', async () => {
  const deep = `${'{"items":'.repeat(5_000)}{}${'}'.repeat(5_000)}`;
  for (const [path, body] of [
    [
      '/v1/messages',
      `{"model":"chat/m","messages":[{"role":"user","content":"x"}],"tools":[{"name":"t","input_schema":${deep}}]}`,
    ],
    [
      '/v1beta/models/chat/m:generateContent',
      `{"contents":[{"parts":[{"text":"x"}]}],"tools":[{"functionDeclarations":[{"name":"t","parameters":${deep}}]}]}`,
    ],
    [
      '/v1/messages',
      { ...MESSAGES, model: 'chat/m', messages: [{ role: 'user', content: [{ type: 'nonsense' }] }] },
    ],
    ['/v1/messages', { ...MESSAGES, model: 'chat/m', messages: [{ role: 'user', content: 7 }] }],
    ['/v1/responses', { model: 'chat/m', input: [{ type: 'item_reference', id: 'x' }] }],
    [
      '/v1/chat/completions',
      { ...CHAT, model: 'gemini/m', messages: [{ role: 'assistant', tool_calls: [{}] }] },
    ],
  ] as const) {
    const answer = await ask(path, body);
    assert.ok(answer.status < 500, `${path} ${answer.status} ${(await answer.text()).slice(0, 200)}`);
  }
  const sent = vendor.seen.filter(({ body }) => !JSON.stringify(body).includes('"items"'));
  assert.equal(sent.length, 0);
});

/** Of each dialect, in the words of a client: so many pieces in one place. */
const MANY: readonly (readonly [path: string, body: (count: number) => object])[] = [
  ['/v1/chat/completions', (count) => ({ ...CHAT, messages: times(count, { role: 'user', content: 'a' }) })],
  ['/v1/chat/completions', (count) => ({ ...CHAT, messages: [parted('system', count)] })],
  ['/v1/messages', (count) => ({ ...MESSAGES, messages: times(2, parted('user', Math.floor(count / 2))) })],
  ['/v1/responses', (count) => ({ model: 'm', input: times(count, { role: 'user', content: 'a' }) })],
  ['/v1beta', (count) => ({ contents: [{ role: 'user', parts: times(count, { text: 'a' }) }] })],
  ['/api/chat', (count) => ({ stream: false, messages: times(count, { role: 'tool', content: 'a' }) })],
  [
    '/v1/messages',
    (count) => ({ ...MESSAGES, tools: times(count, { name: 'a', input_schema: { type: 'object' } }) }),
  ],
];
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
const parted = (role: string, count: number): object => ({
  role,
  content: times(count, { type: 'text', text: 'a' }),
});

test('as many pieces as the server reads of a request are translated', async () => {
  for (const [path, body] of MANY)
    for (const upstream of ['chat', 'responses', 'anthropic', 'gemini']) {
      const model = `${upstream}/m`;
      const at = path === '/v1beta' ? `/v1beta/models/${model}:generateContent` : path;
      const made = await ask(at, { ...body(9_000), model });
      assert.equal(made.status, 200, `${at} ${await made.text()}`);
    }
});

test('a stream that breaks off is an error of each client', async () => {
  await using broken = await bootRouter(['a']);
  const [upstream] = broken.upstreams;
  upstream?.always({ kind: 'truncate' });
  for (const make of CLIENTS) {
    const client = make(broken.url, broken.key);
    await assert.rejects(client.run('a/m', { stream: true }), client.name);
  }
});

test('tokens are counted by the vendor, or estimated, and the answer says which', async () => {
  const counted = await ask('/v1/messages/count_tokens', MESSAGES);
  assert.deepEqual([counted.status, vendor.seen[0]?.path], [200, '/v1/messages/count_tokens']);
  const estimated = await ask('/v1/messages/count_tokens', { ...MESSAGES, model: 'chat/m' });
  const { input_tokens: tokens } = (await estimated.json()) as { input_tokens: number };
  assert.ok(tokens > 0);
  assert.equal(estimated.headers.get('x-plugboard-estimated'), 'input_tokens');
  assert.equal(vendor.seen.length, 1);
});

test('what another plugin adds to a chat reaches the vendor in every dialect', async () => {
  const adder = definePlugin({
    name: 'adder',
    api: 1,
    config: Type.Object({}, { additionalProperties: false }),
    needs: { models: MODELS },
    setup({ needs, onStop }) {
      onStop(
        needs.models.interceptChat(async (request) => ({
          ...request,
          messages: [...request.messages, { role: 'user', content: 'remembered' }],
        })),
      );
      return {};
    },
  });
  await using own = await bootRouter(
    [],
    { upstreams: upstreamsAt(vendor.url) },
    { plugins: [{ plugin: adder }] },
  );
  for (const make of CLIENTS)
    for (const upstream of ['chat', 'responses', 'anthropic', 'gemini', 'azure']) {
      vendor.seen.length = 0;
      await make(own.url, own.key).run(`${upstream}/m`, { tools: true, roundTrip: true });
      assert.match(JSON.stringify(vendor.seen.at(-1)?.body), /remembered/, upstream);
    }
});

test('an Azure upstream without a version takes the model in the body', async () => {
  await ask('/v1/chat/completions', { ...CHAT, model: 'azure/m' });
  const [seen] = vendor.seen;
  assert.deepEqual(
    [seen?.path, seen?.headers['api-key'], seen?.headers.authorization, seen?.body['model']],
    ['/openai/v1/chat/completions', 'vendor-secret', undefined, 'm'],
  );
});
