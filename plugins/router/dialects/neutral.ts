/**
 * The neutral form: a model call, its answer, and the answer as a stream, independent of any vendor. A dialect converts
 * between it and its own wire form; two different dialects exchange nothing else.
 */
export type DialectName = 'chat' | 'responses' | 'anthropic' | 'gemini';
export type ClientName = DialectName | 'ollama';

/** Where a vendor may end its prompt cache. */
export interface CacheMark {
  readonly ttl?: string;
}

/** Bytes in base64, or a reference for the upstream. */
export type Source =
  | { readonly kind: 'base64'; readonly mediaType: string; readonly data: string }
  | { readonly kind: 'url'; readonly url: string; readonly mediaType?: string }
  /** A file that was uploaded to the vendor whose dialect the client speaks. */
  | { readonly kind: 'file'; readonly id: string };

export interface TextPart {
  readonly kind: 'text';
  readonly text: string;
  readonly cache?: CacheMark;
}

export interface ImagePart {
  readonly kind: 'image';
  readonly source: Source;
  readonly detail?: string;
  readonly cache?: CacheMark;
}

/** Also sound and video, by media type. */
export interface DocumentPart {
  readonly kind: 'document';
  readonly source: Source;
  readonly name?: string;
  readonly cache?: CacheMark;
}

/** What a vendor signed of its model's thinking. It means something to that vendor alone. */
export interface Signature {
  readonly origin: DialectName;
  readonly value: string;
}

/** A signature without text belongs to the next part. */
export interface ThinkingPart {
  readonly kind: 'thinking';
  readonly text: string;
  readonly signature?: Signature;
}

export interface CallPart {
  readonly kind: 'call';
  readonly id: string;
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
  readonly cache?: CacheMark;
}

export interface ResultPart {
  readonly kind: 'result';
  /** Of the call. */
  readonly id: string;
  readonly content: readonly (TextPart | ImagePart | DocumentPart)[];
  readonly isError: boolean;
  readonly cache?: CacheMark;
}

export type UserPart = TextPart | ImagePart | DocumentPart | ResultPart;
export type AnswerPart = TextPart | ThinkingPart | CallPart;

export type Turn =
  | { readonly role: 'user'; readonly parts: readonly UserPart[] }
  | { readonly role: 'assistant'; readonly parts: readonly AnswerPart[] };

export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly parameters: object;
  readonly strict?: boolean;
  /** Its argument is one text and no JSON: on the way it is `{ input }`. */
  readonly isText?: boolean;
  readonly cache?: CacheMark;
}

/** Of a tool that takes none. */
export const NO_PARAMETERS = { type: 'object', properties: {} };

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

export type OutputFormat =
  | { readonly kind: 'json' }
  | { readonly kind: 'schema'; readonly name: string; readonly schema: object; readonly strict?: boolean };

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

export interface Thinking {
  readonly effort?: Effort;
  /** Tokens. */
  readonly budget?: number;
  /** The client wants to see it. */
  readonly show?: boolean;
}

/** What a call may be asked to keep to; each dialect has a name of its own for it. */
export interface Settings {
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  readonly frequencyPenalty?: number;
  readonly presencePenalty?: number;
  readonly parallelTools?: boolean;
  readonly output?: OutputFormat;
  readonly thinking?: Thinking;
  /** The end user, for the vendor's watch over abuse. */
  readonly user?: string;
}

export interface NeutralRequest {
  readonly system: readonly TextPart[];
  readonly turns: readonly Turn[];
  readonly tools: readonly Tool[];
  readonly toolChoice?: ToolChoice;
  readonly settings: Settings;
  /** Members of the body that the client's dialect alone can say, by name. */
  readonly own: Readonly<Record<string, unknown>>;
  /** What was left out, though the client sent it unasked. */
  readonly omitted: readonly string[];
}

export type FinishReason =
  | 'stop'
  | 'length'
  | 'calls'
  | 'filter'
  | 'stop_sequence'
  /** The conversation filled the model's context. */
  | 'context'
  /** The vendor's own tools need another turn. */
  | 'pause';

export interface NeutralUsage {
  /** With what came from a prompt cache and what went into it. */
  readonly input: number | null;
  /** With the thinking. */
  readonly output: number | null;
  readonly cached: number | null;
  readonly cacheWritten: number | null;
  readonly reasoning: number | null;
}

export const NO_USAGE: NeutralUsage = {
  input: null,
  output: null,
  cached: null,
  cacheWritten: null,
  reasoning: null,
};

export interface NeutralAnswer {
  readonly id: string | undefined;
  readonly model: string | undefined;
  readonly parts: readonly AnswerPart[];
  readonly finish: FinishReason;
  readonly stopSequence?: string;
  readonly usage: NeutralUsage;
}

/** A part of an answer as it begins to be streamed. */
export type OpenPart =
  | { readonly kind: 'text' }
  | { readonly kind: 'thinking' }
  | { readonly kind: 'call'; readonly id: string; readonly name: string };

/**
 * One `start`; then parts, one open at a time: `open`, any number of `delta`, for thinking at most one `signature`,
 * `close`; then one `finish` and one `end`. `usage` comes anywhere after `start`, and the last one counts.
 */
export type NeutralEvent =
  | { readonly type: 'start'; readonly id: string | undefined; readonly model: string | undefined }
  | { readonly type: 'open'; readonly part: OpenPart }
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'signature'; readonly signature: Signature }
  | { readonly type: 'close' }
  | { readonly type: 'usage'; readonly usage: NeutralUsage }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly stopSequence?: string | undefined }
  | { readonly type: 'end' };
