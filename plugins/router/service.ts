/** Chat, embeddings and rerank over the configured upstreams: what the routes answer and what `MODELS` provides. */
import type {
  ChatCompletion,
  ChatGuard,
  ChatInterceptor,
  ChatRequest,
  EmbeddingResult,
  ModelCall,
  ModelInfo,
  Models,
  RerankResult,
  ServiceError,
} from 'plugboard/sdk';
import type { Answer, StreamAnswer } from './call/answers.js';
import type { Caller } from './call/call.js';
import type { CallContext } from './call/model-request.js';
import type { Limits } from './call/exchange.js';
import { RequestBody } from './call/request-body.js';
import type { Catalog } from './catalog.js';
import { Conversations, type ConversationParts } from './conversations.js';
import { errors } from './errors.js';
import { Conversation } from './dialects/conversation.js';
import { embeddingsCall, readEmbeddings, type EmbeddingsRequest } from './endpoints/embeddings.js';
import { JsonCalls, type JsonCall, type NamesModel } from './endpoints/json-calls.js';
import { readRerank, rerankCall, type RerankRequest } from './endpoints/rerank.js';
import { streamText } from './endpoints/text-completions.js';
import type { AnswerGuards } from './guards/guards.js';
import type { Interceptors } from './interceptors.js';

export class Router implements Models {
  readonly #catalog: Catalog;
  readonly #interceptors: Interceptors;
  readonly #guards: AnswerGuards;
  readonly #json: JsonCalls;
  readonly conversations: Conversations;
  /** For calls that are neither conversations nor JSON. */
  readonly parts: { readonly caller: Caller; readonly limits: Limits };

  constructor(parts: ConversationParts) {
    const { catalog, caller, interceptors, guards, limits } = parts;
    this.#catalog = catalog;
    this.#interceptors = interceptors;
    this.#guards = guards;
    this.#json = new JsonCalls(caller, limits);
    this.parts = { caller, limits };
    this.conversations = new Conversations(parts);
  }

  // For the routes: bodies as clients send them, answers as upstreams wrote them.

  completeText(asked: JsonCall, call: CallContext): Promise<Answer> {
    this.#refuseUnguarded();
    return this.answer(asked, call);
  }

  answer(asked: JsonCall, call: CallContext): Promise<Answer> {
    return this.#json.pass(asked, call);
  }

  /** `render` writes an error as JSON, for a failure in mid stream. */
  streamText(
    body: RequestBody<NamesModel>,
    call: CallContext,
    render: (error: ServiceError) => string,
  ): Promise<StreamAnswer> {
    this.#refuseUnguarded();
    return streamText(this.parts, body, call, render);
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
    return readEmbeddings(await this.#json.whole(embeddingsCall(body), contextOf(call)), model);
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
    return readRerank(await this.#json.whole(rerankCall(body), contextOf(call)), model);
  }

  list(): readonly ModelInfo[] {
    return this.#catalog.list();
  }

  interceptChat(interceptor: ChatInterceptor): () => void {
    return this.#interceptors.add(interceptor);
  }

  guardChat({ before, after }: ChatGuard): () => void {
    const removals = [
      after === undefined ? undefined : this.#guards.add(after),
      before === undefined ? undefined : this.#interceptors.addGuard(before),
    ];
    return () => {
      for (const remove of removals) remove?.();
    };
  }

  /** A text that is completed has no roles and no turns: guards would not know what is whose. */
  #refuseUnguarded(): void {
    if (this.#interceptors.hasGuards || !this.#guards.isEmpty) throw errors.unguarded();
  }
}

function contextOf({ caller, purpose, signal, metered }: ModelCall): CallContext {
  return { caller, purpose, gone: signal, metered };
}
