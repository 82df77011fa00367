/** Chat, embeddings and rerank over the configured upstreams: what the routes answer and what `MODELS` provides. */
import { nextTurn } from 'plugboard/sdk';
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
import type { Caller, CallContext, ServedCall } from './call/call.js';
import { ChatStream } from './call/chat-stream.js';
import { clientOf } from './call/client.js';
import type { LongMember } from './call/answer-edges.js';
import { send, type Limits } from './call/exchange.js';
import { AttemptFailure, filtered } from './call/failure.js';
import { PassedChat } from './call/passed-chat.js';
import type { Attempt } from './call/failover.js';
import { RequestBody } from './call/request-body.js';
import { PassedAnswer } from './call/passed-answer.js';
import { readJson, readOrPass, type JsonAnswer } from './call/read-answer.js';
import { readTokens } from './usage/tokens.js';
import type { Catalog } from './catalog.js';
import type { UpstreamAnswer } from './upstream/answer.js';
import type { Watchdog } from './call/watchdog.js';
import { checkEmbeddings, countInputs, encodeEmbeddings, readEmbeddings } from './embeddings.js';
import type { Headers, Interceptors } from './interceptors.js';
import { checkRerank, readRerank } from './rerank.js';
import type { Unfit } from './schema.js';

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
  /** JSON, ready to send: whole, or as it comes from the upstream when it is large. */
  readonly body: string | PassedAnswer;
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
  readonly check: (answer: JsonAnswer, fallbackOn: ReadonlySet<Unfit>) => void;
}

/** Characters of a call. */
const LONG = 500_000;

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

  chatAnswer(body: RequestBody<ChatRequest>, call: ClientCall): Promise<Answer> {
    const pass = (request: ChatRequest): Promise<Answer> =>
      this.#pass(this.#completion(body, request), 'choices', call);
    const request = this.#interceptors.see(body, call);
    // Without interceptors nothing is waited for: each step of a promise is measurable in a call.
    return request instanceof Promise ? request.then(pass) : pass(request);
  }

  /** `describe` makes the event that tells the client of a failure in mid stream. */
  async chatStream(
    body: RequestBody<ChatRequest>,
    call: ClientCall,
    describe: (error: ServiceError) => string,
  ): Promise<StreamAnswer> {
    const request = await this.#interceptors.see(body, call);
    const served = await this.#caller.place({ model: request.model, stream: true }, call, (attempt) =>
      this.#openStream(attempt, body, request, call),
    );
    served.answer.follow({
      describe: (failure) => describe(served.describe(failure)),
      ended: ({ tokens, model, failure }) => served.end({ tokens, servedModel: model, failure }),
    });
    return { events: served.answer, upstream: served.upstream };
  }

  async embeddingsAnswer(body: RequestBody<EmbeddingsRequest>, call: CallContext): Promise<Answer> {
    const format = body.value.encoding_format ?? 'float';
    return this.#pass(this.#embeddings(body), format, call, (answer) => encodeEmbeddings(answer, format));
  }

  async rerankAnswer(body: RequestBody<RerankRequest>, call: CallContext): Promise<Answer> {
    return this.#pass(this.#rerank(body), 'results', call);
  }

  // For the other plugins.

  async chat(request: ChatRequest, call: ModelCall): Promise<ChatCompletion> {
    const { stream: _, stream_options: __, ...body } = request;
    const asked = new RequestBody(body as ChatRequest);
    const context = { ...contextOf(call), headers: {} };
    const seen = call.intercept === false ? asked.value : await this.#interceptors.see(asked, context);
    const answer = await this.#whole(this.#completion(asked, seen), context);
    return answer.json as unknown as ChatCompletion;
  }

  async embed(model: string, input: readonly string[], call: ModelCall): Promise<EmbeddingResult> {
    if (input.length === 0) return { model, vectors: [], tokens: 0 };
    // Every server knows float; some refuse base64.
    const body = new RequestBody<EmbeddingsRequest>({ model, input, encoding_format: 'float' });
    return readEmbeddings(await this.#whole(this.#embeddings(body), contextOf(call)), model);
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
    return readRerank(await this.#whole(this.#rerank(body), contextOf(call)), model);
  }

  list(): readonly ModelInfo[] {
    return this.#catalog.list();
  }

  interceptChat(interceptor: ChatInterceptor): () => void {
    return this.#interceptors.add(interceptor);
  }

  #completion(body: RequestBody<ChatRequest>, seen: ChatRequest): JsonRequest {
    const request = seen.stream === undefined ? seen : { ...seen, stream: false };
    return { path: '/chat/completions', body, request, check: checkCompletion };
  }

  #embeddings(body: RequestBody<EmbeddingsRequest>): JsonRequest {
    const inputs = countInputs(body.value.input);
    return { path: '/embeddings', body, check: (answer) => checkEmbeddings(answer, inputs) };
  }

  #rerank(body: RequestBody<RerankRequest>): JsonRequest {
    const { length } = body.value.documents;
    return { path: '/rerank', body, check: (answer) => checkRerank(answer, length) };
  }

  /** The whole answer, parsed and checked. */
  async #whole(request: JsonRequest, call: CallContext): Promise<JsonAnswer> {
    const served = await this.#place(request, call, readJson);
    endWhole(served, served.answer);
    return served.answer;
  }

  /** A small answer is checked, and `encode`d; a large one that holds `member` is passed on. */
  async #pass(
    request: JsonRequest,
    member: LongMember,
    call: CallContext,
    encode: (answer: JsonAnswer) => string = ({ text }) => text,
  ): Promise<Answer> {
    const served = await this.#place(request, call, (answer, watchdog, limits) =>
      readOrPass(answer, watchdog, limits, member),
    );
    const { answer, upstream } = served;
    if (!(answer instanceof PassedAnswer)) {
      endWhole(served, answer);
      return { body: encode(answer), upstream };
    }
    answer.follow(({ tokens, model, failure }) => served.end({ tokens, servedModel: model, failure }));
    return { body: answer, upstream };
  }

  #place<T extends JsonAnswer | PassedAnswer>(
    { path, body, request = body.value, check }: JsonRequest,
    call: CallContext,
    read: (answer: UpstreamAnswer, watchdog: Watchdog, limits: Limits) => T | Promise<T>,
  ): Promise<ServedCall<T>> {
    const place = { model: request.model, stream: false };
    return this.#caller.place(place, call, async ({ target, key, watchdog, fallbackOn }) => {
      const sent = { path, body: body.write({ ...request, model: target.model }), passed: call.passed };
      // A long text was just written, and is encoded next.
      if (sent.body.length > LONG) await nextTurn();
      const began = await send(target.upstream, key, sent, watchdog, this.#limits);
      const reading = read(began, watchdog, this.#limits);
      const answer = reading instanceof Promise ? await reading : reading;
      if (!(answer instanceof PassedAnswer)) check(answer, fallbackOn);
      return answer;
    });
  }

  async #openStream(
    { target: { upstream, model }, key, watchdog, fallbackOn }: Attempt,
    body: RequestBody<ChatRequest>,
    request: ChatRequest,
    { passed }: CallContext,
  ): Promise<ChatStream> {
    const options = request['stream_options'] as { include_usage?: unknown } | null | undefined;
    const usage = upstream.streamUsage ? { stream_options: { ...options, include_usage: true } } : {};
    const sent = {
      path: '/chat/completions',
      body: body.write({ ...request, model, stream: true, ...usage }),
      passed,
    };
    const { headers, firstToken } = this.#limits;
    // A stream's headers come with its first event, or well before.
    const limits = { ...this.#limits, headers: Math.min(headers, firstToken) };
    if (sent.body.length > LONG) await nextTurn();
    const answer = await send(upstream, key, sent, watchdog, limits);
    const passUsage = options?.include_usage === true;
    const codec = new PassedChat({ passUsage, refuseFiltered: fallbackOn.has('content_filter') });
    return ChatStream.open(answer, watchdog, this.#limits, codec);
  }
}

function endWhole<T>({ end }: ServedCall<T>, { json }: JsonAnswer): void {
  const servedModel = typeof json['model'] === 'string' ? json['model'] : null;
  end({ tokens: readTokens(json['usage']), servedModel, failure: null });
}

function contextOf({ caller, purpose, signal }: ModelCall): CallContext {
  return { caller, purpose, client: clientOf(signal) };
}

function checkCompletion({ json }: JsonAnswer, fallbackOn: ReadonlySet<Unfit>): void {
  const choices: unknown = json['choices'];
  if (!Array.isArray(choices) || choices.length === 0) throw new AttemptFailure('invalid', 'no_choices');
  const hasMessage = (choice: { message?: unknown } | null): boolean =>
    typeof choice?.message === 'object' && choice.message !== null;
  if (!choices.every(hasMessage)) {
    throw new AttemptFailure('invalid', 'no_message');
  }
  const isFiltered = (choice: { finish_reason?: unknown }): boolean =>
    choice.finish_reason === 'content_filter';
  if (fallbackOn.has('content_filter') && choices.every(isFiltered)) throw filtered();
}
