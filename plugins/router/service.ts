/** Chat, embeddings and rerank over the configured upstreams: what the routes answer and what `MODELS` provides. */
import type {
  ChatCompletion,
  ChatInterceptor,
  ChatRequest,
  EmbeddingResult,
  ModelCall,
  ModelInfo,
  Models,
  RerankResult,
  ServiceError,
} from 'plugboard/sdk';
import type { Caller, CallContext } from './call/call.js';
import { ChatStream } from './call/chat-stream.js';
import { clientOf } from './call/client.js';
import { readJson, send, type JsonAnswer, type Limits } from './call/exchange.js';
import { AttemptFailure } from './call/failure.js';
import type { Attempt } from './call/failover.js';
import { RequestBody } from './call/request-body.js';
import { readTokens } from './usage/tokens.js';
import type { Catalog } from './catalog.js';
import { checkEmbeddings, countInputs, encodeEmbeddings, readEmbeddings } from './embeddings.js';
import type { Headers, Interceptors } from './interceptors.js';
import { checkRerank, readRerank } from './rerank.js';

/** A call with what interceptors are shown of it. */
export interface ClientCall extends CallContext {
  readonly headers: Headers;
}

export type EmbeddingsRequest = NamesModel & { input: unknown; encoding_format?: 'float' | 'base64' };
export type RerankRequest = NamesModel & { query: string; documents: readonly unknown[] };

interface NamesModel {
  model: string;
  [member: string]: unknown;
}

export interface Answer {
  /** JSON, ready to send. */
  readonly text: string;
  /** The name of the upstream that served it. */
  readonly upstream: string;
}

export interface StreamAnswer {
  readonly events: ChatStream;
  readonly upstream: string;
}

interface JsonRequest {
  readonly path: string;
  readonly body: RequestBody<NamesModel>;
  /** What has become of the body's value; default: nothing. */
  readonly request?: NamesModel;
  /** Throws an `AttemptFailure` when the answer is not what was asked for. */
  readonly check: (answer: JsonAnswer) => void;
}

export class Router implements Models {
  readonly #caller: Caller;
  readonly #catalog: Catalog;
  readonly #interceptors: Interceptors;
  readonly #limits: Limits;

  constructor(catalog: Catalog, caller: Caller, interceptors: Interceptors, limits: Limits) {
    this.#catalog = catalog;
    this.#caller = caller;
    this.#interceptors = interceptors;
    this.#limits = limits;
  }

  // For the routes: bodies as clients send them, answers as upstreams wrote them.

  async chatAnswer(body: RequestBody<ChatRequest>, call: ClientCall): Promise<Answer> {
    const request = await this.#interceptors.see(body, call);
    const { answer, upstream } = await this.#completion(body, request, call);
    return { text: answer.text, upstream };
  }

  /** `describe` makes the event that tells the client of a failure in mid stream. */
  async chatStream(
    body: RequestBody<ChatRequest>,
    call: ClientCall,
    describe: (error: ServiceError) => string,
  ): Promise<StreamAnswer> {
    const request = await this.#interceptors.see(body, call);
    const served = await this.#caller.place({ model: request.model, stream: true }, call, (attempt) =>
      this.#openStream(attempt, body, request),
    );
    served.answer.follow({
      describe: (failure) => describe(served.describe(failure)),
      ended: ({ tokens, model, failure }) => served.end({ tokens, servedModel: model, failure }),
    });
    return { events: served.answer, upstream: served.upstream };
  }

  async embeddingsAnswer(body: RequestBody<EmbeddingsRequest>, call: CallContext): Promise<Answer> {
    const { answer, upstream } = await this.#embeddings(body, call);
    return { text: encodeEmbeddings(answer, body.value.encoding_format ?? 'float'), upstream };
  }

  async rerankAnswer(body: RequestBody<RerankRequest>, call: CallContext): Promise<Answer> {
    const { answer, upstream } = await this.#rerank(body, call);
    return { text: answer.text, upstream };
  }

  // For the other plugins.

  async chat(request: ChatRequest, call: ModelCall): Promise<ChatCompletion> {
    const { stream: _, stream_options: __, ...body } = request;
    const asked = new RequestBody(body as ChatRequest);
    const context = { ...contextOf(call), headers: {} };
    const seen = call.intercept === false ? asked.value : await this.#interceptors.see(asked, context);
    const { answer } = await this.#completion(asked, seen, context);
    return answer.json as unknown as ChatCompletion;
  }

  async embed(model: string, input: readonly string[], call: ModelCall): Promise<EmbeddingResult> {
    if (input.length === 0) return { model, vectors: [], tokens: 0 };
    // Every server knows float; some refuse base64.
    const body = new RequestBody<EmbeddingsRequest>({ model, input, encoding_format: 'float' });
    const { answer } = await this.#embeddings(body, contextOf(call));
    return readEmbeddings(answer, model);
  }

  async rerank(
    model: string,
    query: string,
    documents: readonly string[],
    call: ModelCall & { readonly topN?: number },
  ): Promise<RerankResult> {
    if (documents.length === 0) return { model, results: [] };
    const top = call.topN === undefined ? {} : { top_n: call.topN };
    const body = new RequestBody<RerankRequest>({ model, query, documents, ...top });
    const { answer } = await this.#rerank(body, contextOf(call));
    return readRerank(answer, model);
  }

  list(): readonly ModelInfo[] {
    return this.#catalog.list();
  }

  interceptChat(interceptor: ChatInterceptor): () => void {
    return this.#interceptors.add(interceptor);
  }

  #completion(body: RequestBody<ChatRequest>, seen: ChatRequest, call: CallContext) {
    const request = seen.stream === undefined ? seen : { ...seen, stream: false };
    return this.#json({ path: '/chat/completions', body, request, check: checkCompletion }, call);
  }

  #embeddings(body: RequestBody<EmbeddingsRequest>, call: CallContext) {
    const inputs = countInputs(body.value.input);
    return this.#json(
      { path: '/embeddings', body, check: (answer) => checkEmbeddings(answer, inputs) },
      call,
    );
  }

  #rerank(body: RequestBody<RerankRequest>, call: CallContext) {
    const { length } = body.value.documents;
    return this.#json({ path: '/rerank', body, check: (answer) => checkRerank(answer, length) }, call);
  }

  async #json({ path, body, request = body.value, check }: JsonRequest, call: CallContext) {
    const place = { model: request.model, stream: false };
    const served = await this.#caller.place(place, call, async ({ target, key, watchdog }) => {
      const sent = { path, body: body.write({ ...request, model: target.model }) };
      const answer = await readJson(
        await send(target.upstream, key, sent, watchdog, this.#limits),
        watchdog,
        this.#limits,
      );
      check(answer);
      return answer;
    });
    const { json } = served.answer;
    const servedModel = typeof json['model'] === 'string' ? json['model'] : null;
    served.end({ tokens: readTokens(json['usage']), servedModel, failure: null });
    return { answer: served.answer, upstream: served.upstream };
  }

  async #openStream(
    { target: { upstream, model }, key, watchdog }: Attempt,
    body: RequestBody<ChatRequest>,
    request: ChatRequest,
  ): Promise<ChatStream> {
    const options = request['stream_options'] as { include_usage?: unknown } | null | undefined;
    const usage = upstream.streamUsage ? { stream_options: { ...options, include_usage: true } } : {};
    const sent = {
      path: '/chat/completions',
      body: body.write({ ...request, model, stream: true, ...usage }),
    };
    const { headers, firstToken } = this.#limits;
    // A stream's headers come with its first event, or well before.
    const limits = { ...this.#limits, headers: Math.min(headers, firstToken) };
    const answer = await send(upstream, key, sent, watchdog, limits);
    return ChatStream.open(answer, watchdog, {
      limits: this.#limits,
      passUsage: options?.include_usage === true,
    });
  }
}

function contextOf({ caller, purpose, signal }: ModelCall): CallContext {
  return { caller, purpose, client: clientOf(signal) };
}

function checkCompletion({ json }: JsonAnswer): void {
  const choices: unknown = json['choices'];
  if (!Array.isArray(choices) || choices.length === 0) throw new AttemptFailure('invalid', 'no_choices');
  const hasMessage = (choice: { message?: unknown } | null): boolean =>
    typeof choice?.message === 'object' && choice.message !== null;
  if (!choices.every(hasMessage)) {
    throw new AttemptFailure('invalid', 'no_message');
  }
}
