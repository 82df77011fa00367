/** The models port: chat, embeddings and rerank over the router's upstreams. */
import type { Principal } from './auth.js';

/** A request body of OpenAI's chat completions; members we do not read are passed on unchanged. */
export interface ChatRequest {
  model: string;
  messages: ChatMessage[];
  stream?: boolean;
  [member: string]: unknown;
}

export interface ChatMessage {
  role: string;
  content?: unknown;
  [member: string]: unknown;
}

export interface ChatCompletion {
  readonly choices: readonly {
    readonly index: number;
    readonly message: {
      readonly role: string;
      readonly content: string | null;
      readonly [member: string]: unknown;
    };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: { readonly prompt_tokens?: number; readonly completion_tokens?: number };
  readonly [member: string]: unknown;
}

export interface ModelCall {
  /** Who pays for the call. */
  readonly caller: Principal;
  readonly signal?: AbortSignal;
  /** The route that the usage records name for the call. */
  readonly purpose: string;
  /** False: no interceptor sees the call (e.g. no memory is injected). */
  readonly intercept?: boolean;
  /**
   * Called once per call that has a target, successful or not: before its answer, or after it if tokens are estimated.
   * Not called for a call refused earlier, e.g. by a budget.
   */
  readonly metered?: (use: CallUse) => void;
}

/** What a call used. */
export interface CallUse {
  readonly upstream: string | null;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** The upstream did not report all of it. */
  readonly estimated: boolean;
  /** US dollars; null if the price is unknown. */
  readonly cost: number | null;
}

export interface EmbeddingResult {
  readonly model: string;
  /** One vector per input, in order. */
  readonly vectors: readonly Float32Array[];
  readonly tokens: number;
}

export interface RerankResult {
  readonly model: string;
  /** Best first. `index` is the position in the documents sent. */
  readonly results: readonly { readonly index: number; readonly score: number }[];
}

export interface ModelInfo {
  /** `upstream/model`, or the name of a route. */
  readonly id: string;
  readonly upstream: string | null;
  readonly kind: 'chat' | 'embedding' | 'rerank' | 'unknown';
  readonly dimensions: number | null;
  /** The upstream has a key, or needs none. */
  readonly hasKey: boolean;
}

/**
 * Sees a chat request before it is sent upstream, and returns it or a replacement; it must not mutate the one it gets.
 * `headers` are those of the caller's HTTP request. `signal` is aborted when the caller leaves or the interceptor takes
 * too long; the call fails if the interceptor does not end then.
 */
export type ChatInterceptor = (
  request: ChatRequest,
  call: {
    readonly caller: Principal;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly signal?: AbortSignal;
  },
) => Promise<ChatRequest>;

/** A range of a text, in UTF-16 code units, and its replacement. */
export interface Redaction {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** The kind of text in an answer. Arguments are those of a tool call, value by value. */
export type AnswerText = 'text' | 'thinking' | 'arguments';

/**
 * What a guard finds in an answer's text from `from` on; synchronous. Throw a `ServiceError` to end the answer. For a
 * stream it is called repeatedly, with the characters held back and the new ones; those before `from` are already sent.
 */
export type AnswerCheck = (text: string, from: number, of: AnswerText) => readonly Redaction[];

/** A filter between clients and models. Answers it does not see are passed on unchanged. */
export interface ChatGuard {
  /** Sees what goes to the model in every call, after all interceptors. */
  readonly before?: ChatInterceptor;
  readonly after?: {
    /** Length of the longest text it looks for, at most 10,000 characters: a stream is held back by as much. */
    readonly window: number;
    /** Called at the start of each answer. */
    begin(call: { readonly caller: Principal }): AnswerCheck;
  };
}

/** Failures are `ServiceError`s, as the router's own routes answer them. */
export interface Models {
  chat(request: ChatRequest, call: ModelCall): Promise<ChatCompletion>;
  embed(model: string, input: readonly string[], call: ModelCall): Promise<EmbeddingResult>;
  rerank(
    model: string,
    query: string,
    documents: readonly string[],
    call: ModelCall & { readonly topN?: number },
  ): Promise<RerankResult>;
  list(): readonly ModelInfo[];
  /** Registers an interceptor of chat requests; returns its removal. */
  interceptChat(interceptor: ChatInterceptor): () => void;
  /** Registers a guard of requests and answers; returns its removal. */
  guardChat(guard: ChatGuard): () => void;
}
