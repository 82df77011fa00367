/** A wire form of conversations: what a client speaks, what an upstream speaks, or both. */
import type { ServiceError } from 'plugboard/sdk';
import type {
  ClientName,
  DialectName,
  NeutralAnswer,
  NeutralEvent,
  NeutralRequest,
  NeutralUsage,
} from './neutral.js';

export type Json = Readonly<Record<string, unknown>>;

/** How a request is written for an upstream. */
export interface Writing {
  /** The model's name at the upstream. */
  readonly model: string;
  readonly stream: boolean;
}

/** What clients speak. */
export interface ClientDialect {
  readonly name: ClientName;
  /** What a client sent. Throws `Unreadable`. */
  readRequest(body: Json): NeutralRequest;
  writeAnswer(answer: NeutralAnswer, asked: Asked): Json;
  writeStream(asked: Asked): StreamWriter;
  /** The media type of a stream. */
  readonly streamType: string;
  /** The client's own names of settings, for refusals. */
  readonly names: Readonly<Record<string, string>>;
  /**
   * Members of a body that clients send unasked, or that change nothing of the answer: another dialect does without.
   */
  readonly dispensable: ReadonlySet<string>;
}

/** What upstreams speak, and clients, too. */
export interface Dialect extends ClientDialect {
  readonly name: DialectName;
  /** For an upstream. Throws `Unsayable` if this dialect cannot express what is asked. */
  writeRequest(request: NeutralRequest, writing: Writing): Json;
  /** What an upstream answered. Throws `Unreadable`. */
  readAnswer(answer: Json): NeutralAnswer;
  /** Whether it is an answer at all, regardless of vendor-specific members. */
  isAnswer(answer: Json): boolean;
  summary(answer: Json): { readonly usage: NeutralUsage; readonly model: string | null };
  readStream(): StreamReader;
}

export const EVENT_STREAM = 'text/event-stream';

/** What a client asked, as far as its answer depends on it. */
export interface Asked {
  /** As the client named it. */
  readonly model: string;
  readonly request: NeutralRequest;
  /** The body of the client. */
  readonly body: Json;
}

/** Events of an upstream in, neutral ones out. */
export interface StreamReader {
  /** The data of one event. Throws an `AttemptFailure` for an error in place of it, and `Unreadable`. */
  take(data: string): readonly NeutralEvent[];
  /** The connection ended: the missing events of a finished answer; undefined if it is not finished. */
  end(): readonly NeutralEvent[] | undefined;
}

/** Neutral events in, text for the client out. */
export interface StreamWriter {
  write(event: NeutralEvent): string;
  /** In place of the rest of the answer. `json` is the error as the dialect has it in an answer of its own. */
  fail(error: ServiceError, json: string): string;
}
