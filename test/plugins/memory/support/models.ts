/** Models for the tests: a tiny deterministic embedding, and upstreams that fail or wait when they are told to. */
import type { ChatInterceptor, ChatRequest, Models, Principal } from 'plugboard/sdk';
import { ServiceError } from 'plugboard/sdk';

export const EMBED = 'up/embed';
export const RERANK = 'up/rerank';

export interface FakeModels extends Models {
  /** The texts of every embedding call. */
  readonly embedded: string[][];
  readonly chats: ChatRequest[];
  /** Called before every answer; throws to make the call fail, waits to make it slow. */
  before: (call: 'embed' | 'rerank' | 'chat', signal: AbortSignal | undefined) => void | Promise<void>;
  /** What a chat answers, or how its answer follows from the request. */
  reply: string | ((request: ChatRequest) => string);
  /** The vector of a text. */
  vectorOf: (text: string) => Float32Array;
  intercept(
    request: ChatRequest,
    caller: Principal,
    headers?: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<ChatRequest>;
}

export function fakeModels(): FakeModels {
  const interceptors = new Set<ChatInterceptor>();
  const models: FakeModels = {
    embedded: [],
    chats: [],
    before: () => {},
    reply: '',
    vectorOf: countLetters,
    async embed(model, input, { signal }) {
      models.embedded.push([...input]);
      await models.before('embed', signal);
      return { model, vectors: input.map((text) => models.vectorOf(text)), tokens: input.length };
    },
    /** The shortest document first. */
    async rerank(model, _query, documents, { signal }) {
      await models.before('rerank', signal);
      const order = documents
        .map((_, index) => index)
        .sort((a, b) => (documents[a]?.length ?? 0) - (documents[b]?.length ?? 0));
      return { model, results: order.map((index, at) => ({ index, score: 1 - at / 100 })) };
    },
    async chat(request, { signal }) {
      models.chats.push(request);
      await models.before('chat', signal);
      const content = typeof models.reply === 'string' ? models.reply : models.reply(request);
      return { choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }] };
    },
    list: () => [
      { id: EMBED, upstream: 'up', kind: 'embedding', dimensions: 8, hasKey: true },
      { id: 'up/chat', upstream: 'up', kind: 'chat', dimensions: null, hasKey: true },
      { id: 'other/embed-small', upstream: 'other', kind: 'embedding', dimensions: null, hasKey: false },
    ],
    interceptChat(interceptor) {
      interceptors.add(interceptor);
      return () => interceptors.delete(interceptor);
    },
    guardChat: () => () => {},
    async intercept(request, caller, headers = {}, signal) {
      let last = request;
      // One for all of them, as the router's.
      const call = { caller, headers, ...(signal && { signal }) };
      for (const interceptor of interceptors) last = await interceptor(last, call);
      return last;
    },
  };
  return models;
}

/** A writer of summaries that keeps to its notes: each without the last third of its words. */
export function condense({ messages }: ChatRequest): string {
  const notes = String(messages.at(-1)?.content).split('\n');
  return notes
    .map((note) => {
      const words = (JSON.parse(note) as { content: string }).content.split(' ');
      return words.slice(0, Math.ceil((2 * words.length) / 3)).join(' ');
    })
    .join('\n');
}

export function upstreamError(status: number): ServiceError {
  return new ServiceError('upstream', { status, message: 'secret-upstream-text' });
}

/** Eight dimensions: how often each group of letters occurs. Texts of like words lie near each other. */
function countLetters(text: string): Float32Array {
  const vector = new Float32Array(8);
  for (const char of text.toLowerCase()) {
    const code = char.charCodeAt(0) - 97;
    if (code >= 0 && code < 26) vector[code % 8] = (vector[code % 8] ?? 0) + 1;
  }
  return vector;
}
