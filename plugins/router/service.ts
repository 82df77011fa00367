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
import { readTokens } from './call/tokens.js';
import type { Catalog } from './catalog.js';
import { checkEmbeddings, countInputs, encodeEmbeddings, readEmbeddings } from './embeddings.js';
import { checkRerank, readRerank } from './rerank.js';

/** The caller's HTTP headers, for interceptors. */
type Headers = Parameters<ChatInterceptor>[1]['headers'];

/** A call with what interceptors are shown of it. */
export interface ClientCall extends CallContext {
  readonly headers: Headers;
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
  readonly body: { readonly model: string; readonly [member: string]: unknown };
  /** Throws an `AttemptFailure` when the answer is not what was asked for. */
  readonly check: (answer: JsonAnswer) => void;
}

export class Router implements Models {
  readonly #caller: Caller;
  readonly #catalog: Catalog;
  readonly #limits: Limits;
  readonly #interceptors = new Set<ChatInterceptor>();

  constructor(catalog: Catalog, caller: Caller, limits: Limits) {
    this.#catalog = catalog;
    this.#caller = caller;
    this.#limits = limits;
  }

  // For the routes: bodies as clients send them, answers as upstreams wrote them.

  async chatAnswer(body: ChatRequest, call: ClientCall): Promise<Answer> {
    const { answer, upstream } = await this.#completion(await this.#intercept(body, call), call);
    return { text: answer.text, upstream };
  }

  /** `describe` makes the event that tells the client of a failure in mid stream. */
  async chatStream(
    body: ChatRequest,
    call: ClientCall,
    describe: (error: ServiceError) => string,
  ): Promise<StreamAnswer> {
    const request = await this.#intercept(body, call);
    const options = request['stream_options'] as { include_usage?: unknown } | null | undefined;
    const passUsage = options?.include_usage === true;
    const served = await this.#caller.place({ model: request.model, stream: true }, call, (attempt) =>
      this.#openStream(attempt, request, passUsage),
    );
    served.answer.follow({
      describe: (failure) => describe(served.describe(failure)),
      ended: ({ tokens, model, failure }) => served.end({ tokens, servedModel: model, failure }),
    });
    return { events: served.answer, upstream: served.upstream };
  }

  async embeddingsAnswer(
    body: { model: string; input: unknown; encoding_format?: 'float' | 'base64' },
    call: CallContext,
  ): Promise<Answer> {
    const { answer, upstream } = await this.#embeddings(body, call);
    return { text: encodeEmbeddings(answer, body.encoding_format ?? 'float'), upstream };
  }

  async rerankAnswer(
    body: { model: string; query: string; documents: readonly unknown[] },
    call: CallContext,
  ): Promise<Answer> {
    const { answer, upstream } = await this.#rerank(body, call);
    return { text: answer.text, upstream };
  }

  // For the other plugins.

  async chat(request: ChatRequest, call: ModelCall): Promise<ChatCompletion> {
    const { stream: _, stream_options: __, ...body } = request;
    const asked: ChatRequest = body as ChatRequest;
    const context = { ...contextOf(call), headers: {} };
    const seen = call.intercept === false ? asked : await this.#intercept(asked, context);
    const { answer } = await this.#completion(seen, context);
    return answer.json as unknown as ChatCompletion;
  }

  async embed(model: string, input: readonly string[], call: ModelCall): Promise<EmbeddingResult> {
    if (input.length === 0) return { model, vectors: [], tokens: 0 };
    // Every server knows float; some refuse base64.
    const { answer } = await this.#embeddings({ model, input, encoding_format: 'float' }, contextOf(call));
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
    const { answer } = await this.#rerank({ model, query, documents, ...top }, contextOf(call));
    return readRerank(answer, model);
  }

  list(): readonly ModelInfo[] {
    return this.#catalog.list();
  }

  interceptChat(interceptor: ChatInterceptor): () => void {
    this.#interceptors.add(interceptor);
    return () => void this.#interceptors.delete(interceptor);
  }

  async #intercept(request: ChatRequest, { caller, client, headers }: ClientCall): Promise<ChatRequest> {
    let seen = request;
    for (const interceptor of this.#interceptors) {
      const { signal } = client;
      seen = await interceptor(seen, { caller, headers, ...(signal && { signal }) });
    }
    return seen;
  }

  #completion(request: ChatRequest, call: CallContext) {
    const body = request.stream === undefined ? request : { ...request, stream: false };
    return this.#json({ path: '/chat/completions', body, check: checkCompletion }, call);
  }

  #embeddings(body: { model: string; input: unknown; [member: string]: unknown }, call: CallContext) {
    const inputs = countInputs(body.input);
    return this.#json(
      { path: '/embeddings', body, check: (answer) => checkEmbeddings(answer, inputs) },
      call,
    );
  }

  #rerank(
    body: { model: string; documents: readonly unknown[]; [member: string]: unknown },
    call: CallContext,
  ) {
    const { length } = body.documents;
    return this.#json({ path: '/rerank', body, check: (answer) => checkRerank(answer, length) }, call);
  }

  async #json({ path, body, check }: JsonRequest, call: CallContext) {
    const served = await this.#caller.place({ model: body.model, stream: false }, call, async (attempt) => {
      const { target, key, watchdog } = attempt;
      const request = { path, body: JSON.stringify({ ...body, model: target.model }) };
      const answer = await readJson(
        await send(target.upstream, key, request, watchdog, this.#limits),
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
    request: ChatRequest,
    passUsage: boolean,
  ): Promise<ChatStream> {
    const usage = upstream.streamUsage
      ? { stream_options: { ...(request['stream_options'] as object | null), include_usage: true } }
      : {};
    const body = JSON.stringify({ ...request, model, stream: true, ...usage });
    const answer = await send(upstream, key, { path: '/chat/completions', body }, watchdog, this.#limits);
    return ChatStream.open(answer, watchdog, { limits: this.#limits, passUsage });
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
