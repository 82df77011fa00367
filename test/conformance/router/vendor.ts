/** A stand-in for the vendors: answers each of their paths in their own words, and keeps what it was asked. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Seen {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export class Vendor implements AsyncDisposable {
  readonly seen: Seen[] = [];
  /** The next answer is this error. */
  refusal: { readonly status: number; readonly body: object } | undefined;
  /** Streams are written a byte at a time. */
  isCut = false;
  readonly #server = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse((await text(request)) || '{}') as Record<string, unknown>;
      const path = request.url ?? '';
      if (request.method === 'GET') {
        response.end('{}');
        return;
      }
      this.seen.push({ path, headers: request.headers, body });
      const { refusal } = this;
      this.refusal = undefined;
      if (refusal !== undefined) {
        response.writeHead(refusal.status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(refusal.body));
        return;
      }
      const answer = answerOf(path, body);
      const isStream = typeof answer === 'string';
      response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
      if (!isStream) response.end(JSON.stringify(answer));
      else if (!this.isCut) response.end(answer);
      else {
        for (const byte of Buffer.from(answer)) {
          response.write(Buffer.of(byte));
          await new Promise(setImmediate);
        }
        response.end();
      }
    })();
  });

  static async start(): Promise<Vendor> {
    const vendor = new Vendor();
    vendor.#server.listen(0, '127.0.0.1');
    await once(vendor.#server, 'listening');
    return vendor;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close').catch(() => {});
  }
}

type Body = Record<string, unknown>;

export const CALLS = [
  { id: 'call_one', name: 'weather', arguments: { city: 'Seoul' } },
  { id: 'call_two', name: 'weather', arguments: { city: 'Jeju' } },
];

function answerOf(path: string, body: Body): object | string {
  const asked = JSON.stringify(body);
  const wantsCalls = /"(?:weather|add)"/.test(asked) && !asked.includes('sunny');
  // Some clients ask for JSON by a tool of such a name.
  const [, name] = /"name":"(json|json_tool_call)"/.exec(asked) ?? [];
  const jsonCalls = name === undefined ? [] : [{ id: 'call_json', name, arguments: { city: 'Seoul' } }];
  const wantsJson = /"json_schema"|response(?:Json|_json)?_?[sS]chema/.test(asked);
  const said = wantsJson ? '{"city":"Seoul"}' : 'grüß dich 😀';
  const thinks =
    asked.includes('"thinking"') || asked.includes('reasoning') || asked.includes('thinkingConfig');
  const plan = { said, calls: wantsCalls ? CALLS : jsonCalls, thinks };
  if (path.includes('/messages')) return messages(plan, body['stream'] === true);
  if (path.includes('/v1beta/')) return contents(plan, path.includes(':stream'));
  if (path.includes('/responses')) return responses(plan, body['stream'] === true);
  return completions(plan, body['stream'] === true);
}

interface Plan {
  readonly said: string;
  readonly calls: typeof CALLS;
  readonly thinks: boolean;
}

const halves = (text: string): string[] => [text.slice(0, 4), text.slice(4)];
const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

function completions({ said, calls, thinks }: Plan, stream: boolean): object | string {
  const usage = {
    prompt_tokens: 20,
    completion_tokens: 5,
    total_tokens: 25,
    prompt_tokens_details: { cached_tokens: 8 },
  };
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
  const head = { id: 'chatcmpl-1', created: 1, model: 'served' };
  const made = calls.map((call, index) => ({
    index,
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  if (!stream) {
    const message = {
      role: 'assistant',
      content: calls.length > 0 ? null : said,
      ...(thinks && { reasoning_content: 'let me see' }),
      ...(calls.length > 0 && { tool_calls: made }),
    };
    return { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage };
  }
  const deltas: object[] = [{ role: 'assistant', content: '' }];
  if (thinks) deltas.push({ reasoning_content: 'let me see' });
  if (calls.length === 0) deltas.push(...halves(said).map((content) => ({ content })));
  for (const call of made) {
    deltas.push({ tool_calls: [{ ...call, function: { ...call.function, arguments: '' } }] });
    for (const piece of halves(call.function.arguments))
      deltas.push({ tool_calls: [{ index: call.index, function: { arguments: piece } }] });
  }
  const chunk = (delta: object, reason: string | null = null): string =>
    data({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] });
  const tail = data({ ...head, object: 'chat.completion.chunk', choices: [], usage });
  return `${deltas.map((delta) => chunk(delta)).join('')}${chunk({}, finish_reason)}${tail}data: [DONE]\n\n`;
}

function messages({ said, calls, thinks }: Plan, stream: boolean): object | string {
  const usage = {
    input_tokens: 12,
    cache_read_input_tokens: 8,
    cache_creation_input_tokens: 0,
    output_tokens: 5,
  };
  const blocks: Record<string, unknown>[] = [
    ...(thinks ? [{ type: 'thinking', thinking: 'let me see', signature: 'anthropic-signature' }] : []),
    ...(calls.length === 0 ? [{ type: 'text', text: said }] : []),
    ...calls.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input })),
  ];
  const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn';
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: 'served' };
  if (!stream) return { ...head, content: blocks, stop_reason, stop_sequence: null, usage };
  const event = (type: string, members: object): string => `event: ${type}\n${data({ type, ...members })}`;
  const parts = blocks.map((block, index) => {
    const delta = (value: object): string => event('content_block_delta', { index, delta: value });
    const [begun, deltas] =
      block['type'] === 'text'
        ? [{ ...block, text: '' }, halves(said).map((text) => delta({ type: 'text_delta', text }))]
        : block['type'] === 'thinking'
          ? [
              { ...block, thinking: '', signature: '' },
              [
                delta({ type: 'thinking_delta', thinking: 'let me see' }),
                delta({ type: 'signature_delta', signature: 'anthropic-signature' }),
              ],
            ]
          : [
              { ...block, input: {} },
              halves(JSON.stringify(block['input'])).map((partial_json) =>
                delta({ type: 'input_json_delta', partial_json }),
              ),
            ];
    return (
      event('content_block_start', { index, content_block: begun }) +
      deltas.join('') +
      event('content_block_stop', { index })
    );
  });
  const start = { ...head, content: [], stop_reason: null, stop_sequence: null, usage };
  return (
    event('message_start', { message: start }) +
    event('ping', {}) +
    parts.join('') +
    event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } }) +
    event('message_stop', {})
  );
}

function contents({ said, calls, thinks }: Plan, stream: boolean): object | string {
  const usageMetadata = {
    promptTokenCount: 20,
    cachedContentTokenCount: 8,
    candidatesTokenCount: 3,
    thoughtsTokenCount: 2,
    totalTokenCount: 25,
  };
  const parts: object[] = [
    ...(thinks ? [{ text: 'let me see', thought: true }] : []),
    ...(calls.length === 0 ? halves(said).map((text) => ({ text })) : []),
    ...calls.map(({ id, name, arguments: args }, index) => ({
      functionCall: { id, name, args },
      ...(index === 0 && { thoughtSignature: 'gemini-signature' }),
    })),
  ];
  const head = { modelVersion: 'served', responseId: 'r1' };
  const candidate = (own: object[], more: object = {}): object => ({
    candidates: [{ content: { role: 'model', parts: own }, index: 0, ...more }],
    ...head,
  });
  if (!stream) return { ...candidate(parts, { finishReason: 'STOP' }), usageMetadata };
  return (
    parts.map((part) => data(candidate([part]))).join('') +
    data({ ...candidate([], { finishReason: 'STOP' }), usageMetadata })
  );
}

function responses({ said, calls, thinks }: Plan, stream: boolean): object | string {
  const usage = {
    input_tokens: 20,
    input_tokens_details: { cached_tokens: 8 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 2 },
    total_tokens: 25,
  };
  const output: Record<string, unknown>[] = [
    ...(thinks
      ? [
          {
            id: 'rs_1',
            type: 'reasoning',
            summary: [{ type: 'summary_text', text: 'let me see' }],
            encrypted_content: 'openai-encrypted',
          },
        ]
      : []),
    ...(calls.length === 0
      ? [
          {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: said, annotations: [] }],
          },
        ]
      : []),
    ...calls.map((call) => ({
      id: `fc_${call.id}`,
      type: 'function_call',
      call_id: call.id,
      name: call.name,
      arguments: JSON.stringify(call.arguments),
      status: 'completed',
    })),
  ];
  const head = { id: 'resp_1', object: 'response', created_at: 1, model: 'served' };
  const whole = { ...head, status: 'completed', error: null, incomplete_details: null, output, usage };
  if (!stream) return whole;
  let number = 0;
  const event = (type: string, members: object): string =>
    `event: ${type}\n${data({ type, sequence_number: (number += 1) - 1, ...members })}`;
  let stream_ = event('response.created', { response: { ...head, status: 'in_progress', output: [] } });
  for (const [output_index, item] of output.entries()) {
    const at = { item_id: item['id'], output_index };
    if (item['type'] === 'reasoning') {
      stream_ += event('response.output_item.added', { output_index, item: { ...item, summary: [] } });
      const part = { type: 'summary_text', text: '' };
      stream_ += event('response.reasoning_summary_part.added', { ...at, summary_index: 0, part });
      stream_ += event('response.reasoning_summary_text.delta', {
        ...at,
        summary_index: 0,
        delta: 'let me see',
      });
    } else if (item['type'] === 'message') {
      stream_ += event('response.output_item.added', { output_index, item: { ...item, content: [] } });
      const part = { type: 'output_text', text: '', annotations: [] };
      stream_ += event('response.content_part.added', { ...at, content_index: 0, part });
      for (const delta of halves(said))
        stream_ += event('response.output_text.delta', { ...at, content_index: 0, delta });
    } else {
      stream_ += event('response.output_item.added', { output_index, item: { ...item, arguments: '' } });
      for (const delta of halves(String(item['arguments'])))
        stream_ += event('response.function_call_arguments.delta', { ...at, delta });
    }
    stream_ += event('response.output_item.done', { output_index, item });
  }
  return stream_ + event('response.completed', { response: whole });
}
