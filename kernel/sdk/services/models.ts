/** The models port: chat, embeddings and rerank over whatever upstreams the router knows. */
import type { Principal } from './auth.js';

/** A request body of OpenAI's chat completions; members that we do not read are passed on as they are. */
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
  /** On whose account the call is made. */
  readonly caller: Principal;
  readonly signal?: AbortSignal;
  /** Which route of ours the call belongs to in the usage records. */
  readonly purpose: string;
  /** False: no interceptor touches the call (e.g. no memory is injected). */
  readonly intercept?: boolean;
  /**
   * Told once what a call took that has a target, whether it succeeded or not: before its answer, and after it where tokens
   * are estimated. A call that was refused before, as by a budget, is not told.
   */
  readonly metered?: (use: CallUse) => void;
}

/** What a call took. */
export interface CallUse {
  readonly upstream: string | null;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** The upstream did not say all of it. */
  readonly estimated: boolean;
  /** US dollars; null where no price is known. */
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
  /** Best first. `index` is the place in the documents that were sent. */
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
 * Sees a chat request before it is sent upstream, and answers it or another one in its place; the one it was given
 * must stay as it is. `headers` are those of the caller's HTTP request. `signal` is aborted when the caller went away or
 * the interceptor takes too long; the call fails when it does not end then.
 */
export type ChatInterceptor = (
  request: ChatRequest,
  call: {
    readonly caller: Principal;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly signal?: AbortSignal;
  },
) => Promise<ChatRequest>;

/** A stretch of a text, in UTF-16 code units, and what stands in its place. */
export interface Redaction {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Which text of an answer it is. Arguments are those of a tool's call, value by value. */
export type AnswerText = 'text' | 'thinking' | 'arguments';

/**
 * What a guard finds in a text of an answer from the place `from` on, at once. Throws a `ServiceError` to end the answer.
 * Of a stream it is asked again and again, with the characters that are held back and those that came; what stands
 * before `from` is out already.
 */
export type AnswerCheck = (text: string, from: number, of: AnswerText) => readonly Redaction[];

/** Stands between clients and models. Answers it does not see are passed on as they are. */
export interface ChatGuard {
  /** Sees what goes to the model behind all interceptors, of every call. */
  readonly before?: ChatInterceptor;
  readonly after?: {
    /** Characters of the longest text that it looks for, at most 10,000: so many of a stream are held back. */
    readonly window: number;
    /** Begins an answer. */
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
