/**
 * An upstream for tests: speaks the OpenAI wire format over a real socket, says its own name in every piece of
 * an answer, and misbehaves as it is told.
 */
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Behaviour =
  | {
      readonly kind: 'ok';
      readonly content?: string | ((body: ChatBody) => string);
      readonly finish?: string;
      /** False: none; an object in its place is sent as it is. */
      readonly usage?: boolean | object;
    }
  /** Milliseconds before the answer. */
  | { readonly kind: 'slow'; readonly delay: number }
  /** A stream of so many pieces, `every` ms apart. */
  | { readonly kind: 'paced'; readonly pieces: number; readonly every: number }
  | { readonly kind: 'hang'; readonly where: 'before headers' | 'before first event' | 'mid stream' }
  | { readonly kind: 'break'; readonly where: 'before headers' | 'before first event' | 'mid stream' }
  /** A stream that ends well without any event, or without having said that it is finished. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'truncate' }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: object;
    }
  /** Status 200 and a body that is not an answer. */
  | { readonly kind: 'nonsense'; readonly text: string }
  /** An endless stream of events, as fast as the reader takes them. */
  | { readonly kind: 'flood' };

export interface ChatBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly [member: string]: unknown;
}

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came. */
  readonly text: string;
  readonly body: ChatBody & { input?: string | string[]; encoding_format?: string; dimensions?: number };
}

type Ok = Extract<Behaviour, { kind: 'ok' }>;
const OK: Ok = { kind: 'ok' };
export const DIMENSIONS = 4;

export class TestUpstream extends EventEmitter<{ request: []; close: [] }> {
  readonly name: string;
  readonly requests: SeenRequest[] = [];
  /** Requests whose connection the other side closed before the answer was out. */
  aborted = 0;
  /** Bytes written to answers so far. */
  written = 0;
  #behaviours: Behaviour[] = [];
  #always: Behaviour = OK;
  #special:
    { readonly matches: (request: SeenRequest) => boolean; readonly behaviour: Behaviour } | undefined;
  readonly #server = createServer((request, response) => void this.#handle(request, response));

  constructor(name: string) {
    super();
    this.name = name;
  }

  static async start(name: string): Promise<TestUpstream> {
    const upstream = new TestUpstream(name);
    upstream.#server.listen(0, '127.0.0.1');
    await once(upstream.#server, 'listening');
    return upstream;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  /** From now on. */
  always(behaviour: Behaviour): this {
    this.#always = behaviour;
    this.#behaviours = [];
    return this;
  }

  /** From now on, for the requests that match; for the others as before. */
  when(matches: (request: SeenRequest) => boolean, behaviour: Behaviour): this {
    this.#special = { matches, behaviour };
    return this;
  }

  /** For the next requests, one each; then as before. */
  next(...behaviours: Behaviour[]): this {
    this.#behaviours.push(...behaviours);
    return this;
  }

  /** What was seen so far counts no more. */
  forget(): void {
    this.requests.length = 0;
    this.aborted = 0;
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close').catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('close', () => {
      if (response.writableFinished) return;
      this.aborted += 1;
      this.emit('close');
    });
    const path = request.url ?? '';
    if (request.method === 'GET') {
      sendJson(response, 200, { object: 'list', data: [{ id: 'discovered', object: 'model' }] });
      return;
    }
    const written = await text(request);
    const body = JSON.parse(written) as SeenRequest['body'];
    const seen = { path, headers: request.headers, text: written, body };
    this.requests.push(seen);
    this.emit('request');
    const special = this.#special?.matches(seen) === true ? this.#special.behaviour : undefined;
    await this.#behave(special ?? this.#behaviours.shift() ?? this.#always, path, body, response);
  }

  async #behave(
    behaviour: Behaviour,
    path: string,
    body: SeenRequest['body'],
    response: ServerResponse,
  ): Promise<void> {
    switch (behaviour.kind) {
      case 'status':
        sendJson(
          response,
          behaviour.status,
          behaviour.body ?? errorBody(behaviour.status),
          behaviour.headers,
        );
        return;
      case 'nonsense':
        response.writeHead(200, {
          'content-type': body.stream === true ? 'text/event-stream' : 'application/json',
        });
        response.end(behaviour.text);
        return;
      case 'hang':
      case 'break':
        this.#stopAt(behaviour, body, response);
        return;
      case 'slow':
        await new Promise((resolve) => setTimeout(resolve, behaviour.delay));
        this.#answer(path, body, response, OK);
        return;
      case 'paced':
        await this.#pace(behaviour, response);
        return;
      case 'empty':
        if (body.stream === true) response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end();
        return;
      case 'truncate':
        this.#beginStream(response);
        response.end();
        return;
      case 'flood':
        this.#flood(response);
        return;
      case 'ok':
        this.#answer(path, body, response, behaviour);
    }
  }

  #stopAt(
    { kind, where }: Extract<Behaviour, { kind: 'hang' | 'break' }>,
    body: ChatBody,
    response: ServerResponse,
  ): void {
    if (where === 'before first event') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': one moment\n\n');
    } else if (where === 'mid stream' && body.stream === true) {
      this.#beginStream(response);
    } else if (where === 'mid stream') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"id":"half');
    }
    // A moment, so that what was written arrives before the connection breaks.
    if (kind === 'break') setTimeout(() => response.destroy(), 10);
  }

  #beginStream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event(this.#chunk({ role: 'assistant', content: this.name })));
    response.write(event(this.#chunk({ content: ` ${this.name}` })));
  }

  #answer(
    path: string,
    body: SeenRequest['body'],
    response: ServerResponse,
    { content = `${this.name} ${this.name}`, finish = 'stop', usage = true }: Ok,
  ): void {
    const text = typeof content === 'string' ? content : content(body);
    if (path.endsWith('/embeddings')) sendJson(response, 200, embeddings(body));
    else if (path.endsWith('/rerank')) sendJson(response, 200, rerank(body));
    else if (body.stream === true)
      this.#stream(response, text, finish, body.stream_options?.include_usage === true);
    else sendJson(response, 200, this.#completion(body, text, finish, usage));
  }

  #completion(body: ChatBody, content: string, finish: string, usage: boolean | object): object {
    return {
      id: `chatcmpl-${this.name}`,
      object: 'chat.completion',
      created: 1,
      model: body.model,
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }],
      ...(usage === false ? {} : { usage: usage === true ? USAGE : usage }),
    };
  }

  #stream(response: ServerResponse, content: string, finish: string, usage: boolean): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event(this.#chunk({ role: 'assistant', content: '' })));
    for (const word of content.split(/(?<=\s)/)) response.write(event(this.#chunk({ content: word })));
    response.write(event(this.#chunk({}, finish)));
    if (usage) response.write(event({ ...this.#chunk({}), choices: [], usage: USAGE }));
    response.end('data: [DONE]\n\n');
  }

  async #pace(
    { pieces, every }: Extract<Behaviour, { kind: 'paced' }>,
    response: ServerResponse,
  ): Promise<void> {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let piece = 0; piece < pieces; piece += 1) {
      response.write(event(this.#chunk({ content: `${piece} ` })));
      await new Promise((resolve) => setTimeout(resolve, every));
    }
    response.write(event(this.#chunk({}, 'stop')));
    response.write(event({ ...this.#chunk({}), choices: [], usage: USAGE }));
    response.end('data: [DONE]\n\n');
  }

  #flood(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const text = event(this.#chunk({ content: 'x'.repeat(8_000) }));
    const pour = (): void => {
      let open = !response.destroyed;
      while (open) {
        this.written += text.length;
        open = response.write(text) && !response.destroyed;
      }
      if (!response.destroyed) response.once('drain', pour);
    };
    pour();
  }

  #chunk(delta: object, finish: string | null = null): object {
    return {
      id: `chatcmpl-${this.name}`,
      object: 'chat.completion.chunk',
      created: 1,
      model: `${this.name}-model`,
      choices: [{ index: 0, delta, finish_reason: finish }],
    };
  }
}

export const USAGE = {
  prompt_tokens: 7,
  completion_tokens: 2,
  total_tokens: 9,
  prompt_tokens_details: { cached_tokens: 3 },
};

function event(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

function embeddings({
  model,
  input = [],
  encoding_format: format,
  dimensions = DIMENSIONS,
}: SeenRequest['body']): object {
  const data = [input].flat().map((text, index) => {
    const vector = Float32Array.from({ length: dimensions }, (_, at) => text.length + at / 2);
    const embedding =
      format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : Array.from(vector);
    return { object: 'embedding', index, embedding };
  });
  return { object: 'list', model, data, usage: { prompt_tokens: data.length, total_tokens: data.length } };
}

function rerank(body: ChatBody): object {
  const documents = body['documents'] as string[];
  const results = documents.map((text, index) => ({ index, relevance_score: 1 / (1 + text.length) }));
  return { model: body.model, results: results.toReversed(), usage: { total_tokens: 5 } };
}

function errorBody(status: number): object {
  return {
    error: { message: `inner text of ${status}`, type: 'some_error', code: 'some_code', param: 'messages' },
  };
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
