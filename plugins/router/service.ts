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
} from 'plugboard/sdk';
import type { Caller, CallContext, ServedCall } from './call/call.js';
import type { LongMember } from './call/answer-edges.js';
import { send, type Limits } from './call/exchange.js';
import { AttemptFailure } from './call/failure.js';
import { RequestBody } from './call/request-body.js';
import { PassedAnswer } from './call/passed-answer.js';
import { readJson, readOrPass, type JsonAnswer } from './call/read-answer.js';
import { readTokens } from './usage/tokens.js';
import type { Catalog, Target } from './catalog.js';
import { Conversations, type Answer } from './conversations.js';
import { Conversation } from './dialects/conversation.js';
import type { UpstreamAnswer } from './upstream/answer.js';
import type { Watchdog } from './call/watchdog.js';
import { checkEmbeddings, countInputs, encodeEmbeddings, readEmbeddings } from './embeddings.js';
import type { Interceptors } from './interceptors.js';
import { checkRerank, readRerank } from './rerank.js';

export type EmbeddingsRequest = NamesModel & { input: unknown; encoding_format?: 'float' | 'base64' };
export type RerankRequest = NamesModel & { query: string; documents: readonly unknown[] };

interface NamesModel {
  model: string;
  [member: string]: unknown;
}

interface JsonRequest {
  readonly path: `/${string}`;
  readonly body: RequestBody<NamesModel>;
  /** Throws an `AttemptFailure` when the answer is not what was asked for. */
  readonly check: (answer: JsonAnswer) => void;
}

/** Characters of a call. */
const LONG = 500_000;

export class Router implements Models {
  readonly #caller: Caller;
  readonly #catalog: Catalog;
  readonly #interceptors: Interceptors;
  readonly #limits: Limits;
  readonly conversations: Conversations;

  constructor(catalog: Catalog, caller: Caller, interceptors: Interceptors, limits: Limits) {
    this.#catalog = catalog;
    this.#caller = caller;
    this.#interceptors = interceptors;
    this.#limits = limits;
    this.conversations = new Conversations(caller, catalog, interceptors, limits);
  }

  // For the routes: bodies as clients send them, answers as upstreams wrote them.

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
    const context = { ...contextOf(call), headers: {} };
    const talk = new Conversation({
      client: 'chat',
      model: request.model,
      stream: false,
      body: new RequestBody(body),
    });
    const text = await this.conversations.whole(talk, context, call.intercept !== false);
    return JSON.parse(text) as ChatCompletion;
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
    answer.follow(({ tokens, model, failure }) =>
      served.end({ tokens, answer: null, servedModel: model, failure }),
    );
    return { body: answer, upstream };
  }

  #place<T extends JsonAnswer | PassedAnswer>(
    { path, body, check }: JsonRequest,
    call: CallContext,
    read: (answer: UpstreamAnswer, watchdog: Watchdog, limits: Limits) => T | Promise<T>,
  ): Promise<ServedCall<T>> {
    const request = body.value;
    const written = ({ model }: Target): string => body.write({ ...request, model });
    const place = { model: request.model, stream: false, body: written };
    return this.#caller.place(place, call, async ({ target, key, watchdog }) => {
      const sent = { path: pathAt(target, path), body: written(target), passed: call.passed };
      // A long text was just written, and is encoded next.
      if (sent.body.length > LONG) await nextTurn();
      const began = await send(target.upstream, key, sent, watchdog, this.#limits);
      const reading = read(began, watchdog, this.#limits);
      const answer = reading instanceof Promise ? await reading : reading;
      if (!(answer instanceof PassedAnswer)) check(answer);
      return answer;
    });
  }
}

function endWhole<T>({ end }: ServedCall<T>, { json }: JsonAnswer): void {
  const servedModel = typeof json['model'] === 'string' ? json['model'] : null;
  end({ tokens: readTokens(json['usage']), answer: null, servedModel, failure: null });
}

function pathAt({ upstream, model }: Target, path: `/${string}`): string {
  const own = upstream.kind.path(path, model);
  if (own !== undefined) return own;
  throw new AttemptFailure('unsayable', 'unsupported_path', {
    unfit: 'unsupported',
    rejection: {
      status: 400,
      message: `an upstream of dialect ${upstream.kind.wire} has no ${path.slice(1)}`,
      code: 'unsupported_path',
      param: null,
    },
  });
}

function contextOf({ caller, purpose, signal }: ModelCall): CallContext {
  return { caller, purpose, gone: signal };
}
