/** What of an upstream's events goes to a client, and what they say of the answer. One for each stream. */
import type { ServiceError } from 'plugboard/sdk';
import type { Said } from '../estimate/said.js';
import type { TokenUsage } from '../usage/tokens.js';
import type { SseEvent } from './sse.js';

export interface StreamCodec {
  /** An event of the answer itself has come: from here on the call belongs to this upstream. */
  readonly begun: boolean;
  /** The answer is finished, and token counts at most are missing. */
  readonly complete: boolean;
  /** The last event has come. */
  readonly done: boolean;
  readonly tokens: TokenUsage;
  /** What the model says. */
  readonly said: Said;
  /** What of it goes to the client. */
  readonly sent: Said;
  /** The model that the upstream says it served. */
  readonly model: string | null;
  /** Text for the client. Throws an `AttemptFailure` for an event that is an error or none of the dialect. */
  take(event: SseEvent): string;
  /**
   * The connection ended before the last event; `rest` came after the last blank line. Throws an `AttemptFailure`
   * unless the answer is finished all the same.
   */
  end(rest: string): string;
  /** The event that tells the client of a failure in mid stream. `json` is the error in the client's dialect. */
  fail(error: ServiceError, json: string): string;
}
