/**
 * Upstreams whose answers have other members and types than their vendor's: each client gets an answer or an error in
 * its own form, never a 500, a crash or silence.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { dialects } from '../../../plugins/router/dialects/by-name.js';
import type { Asked, Json } from '../../../plugins/router/dialects/dialect.js';
import type { DialectName, NeutralAnswer } from '../../../plugins/router/dialects/neutral.js';
import { eventsOf } from '../../../plugins/router/dialects/parts.js';
import { bootRouter, type RouterServer } from './support/boot.js';

const RUNS = Number(process.env['HOSTILE_ANSWERS'] ?? 12);

const ANSWER: NeutralAnswer = {
  id: 'one',
  model: 'm',
  parts: [
    { kind: 'thinking', text: 'let me see' },
    { kind: 'text', text: 'grüß dich' },
    { kind: 'call', id: 'call_1', name: 'add', arguments: '{"a":1}' },
  ],
  finish: 'calls',
  usage: { input: 20, output: 5, cached: 3, cacheWritten: null, reasoning: 1 },
};
const ASKED: Asked = {
  model: 'm',
  body: { stream_options: { include_usage: true } },
  request: { system: [], turns: [], tools: [], settings: {}, own: {}, omitted: [] },
};

/** In place of arrays so deep that nothing could write them. */
const DEEP = '"DEEP"';
const deepened = (json: string): string =>
  json.replaceAll(DEEP, () => '['.repeat(20_000) + ']'.repeat(20_000));
const HOSTILE: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    Number.MAX_SAFE_INTEGER,
    '',
    'x',
    '\ud800',
    '\0',
    '__proto__',
    '[DONE]',
  ],
  ...[
    [],
    {},
    [[]],
    [null],
    [{}],
    { toString: 1 },
    { length: -1 },
    { type: 'x' },
    JSON.parse('{"__proto__":{"a":1}}'),
  ],
  ...['x'.repeat(100_000), Array.from({ length: 2_000 }, () => null), JSON.parse(DEEP)],
];
const REMOVED = Symbol('removed');

interface Mutation {
  /** Which member, of all in order; which value instead. */
  readonly place: number;
  readonly value: number;
}
const mutations = fc.array(fc.record({ place: fc.nat(1_000), value: fc.nat(HOSTILE.length) }), {
  minLength: 1,
  maxLength: 3,
});

function mutated(json: unknown, all: readonly Mutation[]): unknown {
  let changed = structuredClone(json);
  for (const { place, value } of all) {
    const places: [holder: Record<string, unknown>, name: string][] = [];
    const walk = (one: unknown): void => {
      if (typeof one !== 'object' || one === null || places.length > 1_000) return;
      for (const [name, inner] of Object.entries(one)) {
        places.push([one as Record<string, unknown>, name]);
        walk(inner);
      }
    };
    walk(changed);
    const by = value === HOSTILE.length ? REMOVED : structuredClone(HOSTILE[value]);
    const [holder, name] = places[place % (places.length + 1)] ?? [];
    if (holder === undefined || name === undefined) changed = by === REMOVED ? [] : by;
    else if (by === REMOVED) delete holder[name];
    else
      Object.defineProperty(holder, name, {
        value: by,
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return changed;
}

/** An event of a stream, mutated like an answer. */
function mutatedStream(text: string, all: readonly Mutation[]): string {
  const events = text.trimEnd().split('\n\n');
  const at = (all[0]?.place ?? 0) % events.length;
  events[at] = (events[at] ?? '').replace(/^(data: )?(\{.*)$/m, (_, start: string = '', data: string) => {
    return start + deepened(JSON.stringify(mutated(JSON.parse(data), all)));
  });
  return `${events.join('\n\n')}\n\n`;
}

const UPSTREAMS: Readonly<Record<string, DialectName>> = {
  chat: 'chat',
  responses: 'responses',
  anthropic: 'anthropic',
  gemini: 'gemini',
};

/** How each client asks for an answer, whole or streamed. */
const CLIENTS: Readonly<Record<string, (model: string, stream: boolean) => [path: string, body: object]>> = {
  chat: (model, stream) => [
    '/v1/chat/completions',
    { model, stream, messages: [{ role: 'user', content: 'x' }] },
  ],
  responses: (model, stream) => ['/v1/responses', { model, stream, store: false, input: 'x' }],
  anthropic: (model, stream) => [
    '/v1/messages',
    { model, stream, max_tokens: 100, messages: [{ role: 'user', content: 'x' }] },
  ],
  gemini: (model, stream) => [
    `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
  ],
  ollama: (model, stream) => ['/api/chat', { model, stream, messages: [{ role: 'user', content: 'x' }] }],
};

let router: RouterServer;
/** The last request of the router. */
let asked = '';
let next = { type: 'application/json', body: '' };
const upstream = createServer((request, response) => {
  void text(request).then((body) => {
    asked = body;
    response.writeHead(200, { 'content-type': next.type }).end(next.body);
  });
});

before(async () => {
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const more = { models: ['m'], apiKey: 'secret' };
  router = await bootRouter([], {
    breaker: { failures: 1_000_000 },
    upstreams: [
      { name: 'chat', baseUrl: `${url}/v1`, ...more },
      { name: 'responses', baseUrl: `${url}/v1`, wire: 'responses', ...more },
      { name: 'anthropic', dialect: 'anthropic', baseUrl: url, ...more },
      { name: 'gemini', dialect: 'gemini', baseUrl: url, ...more },
    ],
  });
});
after(async () => {
  await router[Symbol.asyncDispose]();
  upstream.close();
});

async function ask(path: string, body: object): Promise<void> {
  const answer = await router.post(path, body, { signal: AbortSignal.timeout(20_000) });
  const got = await answer.text();
  assert.ok(answer.status === 200 || answer.status === 502, `${answer.status} ${got.slice(0, 500)}`);
  const isStream = /event-stream|ndjson/.test(answer.headers.get('content-type') ?? '');
  const parts = isStream
    ? got.split('\n').flatMap((line) => /^(?:data: )?([[{].*)$/.exec(line)?.[1] ?? [])
    : [got];
  assert.ok(parts.length > 0, got);
  for (const part of parts) if (part !== '[DONE]') assert.doesNotThrow(() => JSON.parse(part) as Json, part);
}

for (const [name, dialect] of Object.entries(UPSTREAMS)) {
  const { writeAnswer, writeStream } = dialects[dialect];
  const whole = writeAnswer(ANSWER, ASKED);
  const writer = writeStream(ASKED);
  const streamed = eventsOf(ANSWER)
    .map((event) => writer.write(event))
    .join('');
  for (const [client, asks] of Object.entries(CLIENTS)) {
    test(`an answer of ${name} for ${client}`, async () => {
      await fc.assert(
        fc.asyncProperty(mutations, async (all) => {
          next = { type: 'application/json', body: deepened(JSON.stringify(mutated(whole, all))) };
          await ask(...asks(`${name}/m`, false));
        }),
        { numRuns: RUNS, endOnFailure: true, includeErrorInReport: true },
      );
    });
    test(`a stream of ${name} for ${client}`, async () => {
      await fc.assert(
        fc.asyncProperty(mutations, async (all) => {
          next = { type: 'text/event-stream', body: mutatedStream(streamed, all) };
          await ask(...asks(`${name}/m`, true));
        }),
        { numRuns: RUNS, endOnFailure: true, includeErrorInReport: true },
      );
    });
  }
}

for (const upstreamName of ['anthropic', 'gemini'])
  test(`arguments of a call that are nested too deep go to ${upstreamName} as text`, async () => {
    const { writeAnswer } = dialects[UPSTREAMS[upstreamName]!];
    next = { type: 'application/json', body: JSON.stringify(writeAnswer(ANSWER, ASKED)) };
    const deep = deepened(DEEP);
    const call = { id: 'c1', type: 'function', function: { name: 'add', arguments: deep } };
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: '2' },
    ];
    const answer = await router.post('/v1/chat/completions', { model: `${upstreamName}/m`, messages });
    assert.equal(answer.status, 200, await answer.text());
    assert.ok(asked.includes(JSON.stringify({ value: deep })));
  });
