/** What a client is answered. */
import type { ChatStream } from './chat-stream.js';
import type { PassedAnswer } from './passed-answer.js';

export interface Answer {
  /** JSON, ready to send: whole, or as it comes from the upstream when it is large. */
  readonly body: string | PassedAnswer;
  /** The name of the upstream that served it. */
  readonly upstream: string;
  /** US dollars; null or left out where it is not known when the answer begins. */
  readonly cost?: number | null;
}

export interface StreamAnswer {
  readonly events: ChatStream;
  readonly upstream: string;
}
