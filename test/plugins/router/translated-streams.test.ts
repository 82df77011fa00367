/** Streams from every dialect to every other, cut anywhere: what arrives is what was said, in the order that clients demand. */
import assert from 'node:assert/strict';
import { StringDecoder } from 'node:string_decoder';
import { test } from 'node:test';
import fc from 'fast-check';
import { SseParser } from '../../../plugins/router/call/sse.js';
import { clients, dialects } from '../../../plugins/router/dialects/by-name.js';
import type { Asked, ClientDialect, Dialect, Json } from '../../../plugins/router/dialects/dialect.js';
import type {
  AnswerPart,
  ClientName,
  DialectName,
  NeutralAnswer,
  NeutralEvent,
} from '../../../plugins/router/dialects/neutral.js';
import { eventsOf } from '../../../plugins/router/dialects/parts.js';
import { TranslatedStream } from '../../../plugins/router/dialects/translated-stream.js';

const asked = (client: ClientName): Asked => ({
  model: 'up/m',
  body: {
    ...(client === 'chat' && { stream_options: { include_usage: true } }),
    ...(client === 'responses' && { include: ['reasoning.encrypted_content'] }),
    messages: [],
  },
  request: { system: [], turns: [], tools: [], settings: {}, own: {}, omitted: [] },
});

const said = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });

/** What a model may answer; signatures are of the vendor whose `origin` it is. */
const answers = (origin: DialectName): fc.Arbitrary<NeutralAnswer> =>
  fc
    .record({
      parts: fc.array(
        fc.oneof(
          fc.record({ kind: fc.constant('text' as const), text: said }),
          fc.record({
            kind: fc.constant('thinking' as const),
            text: said,
            signature: fc.constant({ origin, value: origin === 'responses' ? 'rs_1:signed' : 'signed' }),
          }),
          fc.record({
            kind: fc.constant('call' as const),
            id: fc.constant(''),
            name: fc.constantFrom('weather', 'add'),
            arguments: fc.dictionary(said, said).map((made) => JSON.stringify(made)),
          }),
        ),
        { minLength: 1, maxLength: 6 },
      ),
      cut: fc.boolean(),
      input: fc.nat(1_000),
      output: fc.nat(1_000),
    })
    .map(({ parts, cut, input, output }) => ({
      id: 'one',
      model: 'm',
      parts: parts.map((part, at) => (part.kind === 'call' ? { ...part, id: `call_${at}` } : part)),
      finish: parts.some(({ kind }) => kind === 'call') ? 'calls' : cut ? 'length' : 'stop',
      usage: { input, output, cached: null, cacheWritten: null, reasoning: null },
    }));

function written(dialect: ClientDialect, events: readonly NeutralEvent[]): string {
  const writer = dialect.writeStream(asked(dialect.name));
  return events.map((event) => writer.write(event)).join('');
}

/** What a client of `client` gets of an upstream's bytes, in pieces that end at `cuts`. */
function through(upstream: Dialect, client: ClientDialect, bytes: Buffer, cuts: readonly number[]): string {
  const codec = new TranslatedStream(
    upstream,
    { client, asked: asked(client.name) },
    { passes: false, refuseFiltered: false, guard: undefined },
  );
  const [parser, decoder] = [new SseParser(1_000_000), new StringDecoder('utf8')];
  let got = '';
  const ends = [...cuts, bytes.length].toSorted((a, b) => a - b);
  for (const [at, end] of ends.entries())
    for (const event of parser.push(decoder.write(bytes.subarray(ends[at - 1] ?? 0, end))))
      got += codec.take(event);
  return codec.done ? got : got + codec.end(parser.rest());
}

const eventsIn = (text: string): { name: string | undefined; data: string }[] =>
  text
    .trimEnd()
    .split('\n\n')
    .map((block) => {
      const lines = block.split('\n');
      const data = lines.find((line) => line.startsWith('data: '))?.slice(6) ?? '';
      return { name: lines.find((line) => line.startsWith('event: '))?.slice(7), data };
    });

const linesIn = (text: string): Json[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);

/** The order that each vendor's client demands. Throws where it is not kept. */
const ORDERS: Readonly<Record<ClientName, (text: string) => void>> = {
  chat(text) {
    const events = eventsIn(text);
    assert.equal(events.pop()?.data, '[DONE]');
    const chunks = events.map(({ data }) => JSON.parse(data) as ChatChunk);
    assert.deepEqual(chunks.pop()?.choices, [], 'the counts come last');
    assert.equal(chunks[0]?.choices[0]?.delta.role, 'assistant');
    assert.equal(new Set(chunks.map(({ id }) => id)).size, 1);
    const reasons = chunks.map(({ choices }) => choices[0]?.finish_reason);
    assert.equal(
      reasons.findIndex((reason) => reason !== null),
      chunks.length - 1,
    );
    let calls = -1;
    for (const call of chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])) {
      if (call.id !== undefined) calls += 1;
      assert.equal(call.index, calls, 'a call begins with its id, and is whole before the next');
    }
  },
  responses(text) {
    const events = eventsIn(text).map(({ name, data }) => {
      const event = JSON.parse(data) as ResponseEvent;
      assert.equal(event.type, name);
      return event;
    });
    assert.deepEqual(
      events.map(({ sequence_number: number }) => number),
      events.map((_, at) => at),
    );
    assert.deepEqual(
      events.slice(0, 2).map(({ type }) => type),
      ['response.created', 'response.in_progress'],
    );
    const last = events.at(-1);
    assert.match(last?.type ?? '', /^response\.(?:completed|incomplete)$/);
    const done: { id: string; type: string }[] = [];
    let open: { id: string; hasPart: boolean } | undefined;
    for (const event of events.slice(2, -1)) {
      assert.equal(event.output_index, done.length);
      if (event.type === 'response.output_item.added') {
        assert.equal(open, undefined, 'one item at a time');
        open = { id: event.item!.id, hasPart: event.item!.type === 'function_call' };
      } else if (event.type === 'response.output_item.done') {
        assert.equal(event.item?.id, open?.id, 'the id of an item stays');
        done.push(event.item!);
        open = undefined;
      } else {
        assert.equal(event.item_id, open?.id);
        if (event.type.endsWith('part.added')) open!.hasPart = true;
        else assert.ok(open!.hasPart, `${event.type} before its part`);
      }
    }
    assert.equal(open, undefined);
    assert.deepEqual(last?.response?.output, done);
  },
  anthropic(text) {
    const events = eventsIn(text).map(({ name, data }) => {
      const event = JSON.parse(data) as MessageEvent;
      assert.equal(event.type, name);
      return event;
    });
    assert.equal(events[0]?.type, 'message_start');
    assert.equal(typeof events[0]?.message?.usage.input_tokens, 'number');
    assert.deepEqual(
      events.slice(-2).map(({ type }) => type),
      ['message_delta', 'message_stop'],
    );
    let [blocks, isOpen] = [0, false];
    for (const event of events.slice(1, -2)) {
      if (event.type === 'content_block_start') {
        assert.equal(isOpen, false, 'one block at a time');
        assert.equal(event.index, blocks);
        isOpen = true;
      } else {
        assert.ok(isOpen, event.type);
        assert.equal(event.index, blocks);
        if (event.type !== 'content_block_stop') continue;
        isOpen = false;
        blocks += 1;
      }
    }
    assert.equal(isOpen, false);
  },
  gemini(text) {
    assert.ok(text.endsWith('\n\n'));
    const events = eventsIn(text);
    const reasons = events.map(({ name, data }) => {
      assert.equal(name, undefined, 'its client skips events with names');
      return (JSON.parse(data) as { candidates: { finishReason?: string }[] }).candidates[0]?.finishReason;
    });
    assert.equal(
      reasons.findIndex((reason) => reason !== undefined),
      reasons.length - 1,
    );
  },
  ollama(text) {
    const lines = linesIn(text);
    assert.equal(
      lines.findIndex(({ done }) => done === true),
      lines.length - 1,
    );
  },
};

interface ChatChunk {
  readonly id: string;
  readonly choices: readonly {
    readonly delta: {
      readonly role?: string;
      readonly tool_calls?: readonly { readonly index: number; readonly id?: string }[];
    };
    readonly finish_reason: string | null;
  }[];
}

interface ResponseEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly output_index?: number;
  readonly item_id?: string;
  readonly item?: { readonly id: string; readonly type: string };
  readonly response?: { readonly output: readonly object[] };
}

interface MessageEvent {
  readonly type: string;
  readonly index?: number;
  readonly message?: { readonly usage: { readonly input_tokens: number } };
}

/** What was said, however it is parted. */
function gist(parts: readonly AnswerPart[]): object {
  const all = (kind: 'text' | 'thinking'): string =>
    parts.map((part) => (part.kind === kind ? part.text : '')).join('');
  const calls = parts.filter((part) => part.kind === 'call');
  return {
    text: all('text'),
    // Responses has paragraphs between what was thought.
    thinking: all('thinking').replaceAll('\n', ''),
    calls: calls.map(({ name, arguments: made }) => [name, JSON.parse(made || '{}') as unknown]),
  };
}

/** What the client's own reader makes of it. */
function readBack(client: ClientName, text: string): object {
  if (client === 'ollama') return ollamaGist(text);
  const reader = dialects[client].readStream();
  const events = eventsIn(text).flatMap(({ data }) => reader.take(data));
  events.push(...(events.at(-1)?.type === 'end' ? [] : (reader.end() ?? [])));
  const parts: { kind: 'text' | 'thinking' | 'call'; text: string; name: string }[] = [];
  let finish: string | undefined;
  let usage: unknown;
  for (const event of events) {
    if (event.type === 'open')
      parts.push({
        kind: event.part.kind,
        text: '',
        name: event.part.kind === 'call' ? event.part.name : '',
      });
    else if (event.type === 'delta') parts.at(-1)!.text += event.text;
    else if (event.type === 'finish') finish = event.reason;
    else if (event.type === 'usage') usage = [event.usage.input, event.usage.output];
  }
  const read = parts.map(({ kind, text: own, name }): AnswerPart =>
    kind === 'call' ? { kind, id: '', name, arguments: own } : { kind, text: own },
  );
  return { ...gist(read), finish, usage };
}

function ollamaGist(text: string): object {
  const lines = linesIn(text);
  const messages = lines.map(({ message }) => message as OllamaMessage);
  const last = lines.at(-1);
  const calls = messages.flatMap(({ tool_calls: made }) => made ?? []);
  return {
    text: messages.map(({ content }) => content).join(''),
    thinking: messages
      .map(({ thinking }) => thinking ?? '')
      .join('')
      .replaceAll('\n', ''),
    calls: calls.map(({ function: { name, arguments: made } }) => [name, made]),
    finish: last?.['done_reason'] === 'stop' ? (calls.length > 0 ? 'calls' : 'stop') : last?.['done_reason'],
    usage: [last?.['prompt_eval_count'], last?.['eval_count']],
  };
}

interface OllamaMessage {
  readonly content: string;
  readonly thinking?: string;
  readonly tool_calls?: readonly {
    readonly function: { readonly name: string; readonly arguments: object };
  }[];
}

const untimed = (text: string): string =>
  text.replaceAll(/"created(?:_at)?":(?:\d+|"[^"]*")/g, '"created":0');

for (const upstream of Object.values(dialects))
  for (const client of Object.values(clients))
    test(`from ${upstream.name} to ${client.name}, cut anywhere`, () => {
      fc.assert(
        fc.property(answers(upstream.name), fc.array(fc.nat(2_000), { maxLength: 20 }), (answer, cuts) => {
          const bytes = Buffer.from(written(upstream, eventsOf(answer)));
          const whole = through(upstream, client, bytes, []);
          ORDERS[client.name](whole);
          const { parts, finish, usage } = answer;
          const expected = { ...gist(parts), finish, usage: [usage.input, usage.output] };
          assert.deepEqual(readBack(client.name, whole), expected);
          const inside = cuts.filter((cut) => cut < bytes.length);
          assert.equal(untimed(through(upstream, client, bytes, inside)), untimed(whole));
        }),
        { numRuns: 60 },
      );
      const [sample] = fc.sample(answers(upstream.name), { numRuns: 1, seed: 7 });
      const bytes = Buffer.from(written(upstream, eventsOf(sample!)));
      const every = Array.from({ length: bytes.length }, (_, at) => at);
      const whole = through(upstream, client, bytes, []);
      assert.equal(untimed(through(upstream, client, bytes, every)), untimed(whole), 'cut at every byte');
    });
