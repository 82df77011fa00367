/** Chat completions from an upstream that speaks them to a client that does: events go on as they came. */
import type { ServiceError } from 'plugboard/sdk';
import { NO_TOKENS, readTokens } from '../usage/tokens.js';
import { Said } from '../estimate/said.js';
import { ChoiceEnds, hasContent, note, parseChunk, type ChatChunk } from './chat-chunk.js';
import { completionEvents } from './completion-events.js';
import { AttemptFailure, filtered } from './failure.js';
import { dataOf, type SseEvent } from './sse.js';
import type { StreamCodec } from './stream-codec.js';

export interface PassedChatOptions {
  /** The client asked for the event with the token counts; otherwise it is read and kept back. */
  readonly passUsage: boolean;
  /** An answer that is filtered before it has any content is another target's. */
  readonly refuseFiltered: boolean;
}

/** The data of the last event. */
const DONE = '[DONE]';

export class PassedChat implements StreamCodec {
  begun = false;
  done = false;
  tokens = NO_TOKENS;
  model: string | null = null;
  readonly said = new Said();
  readonly sent = this.said;
  readonly #choices = new ChoiceEnds();
  readonly #options: PassedChatOptions;

  constructor(options: PassedChatOptions) {
    this.#options = options;
  }

  get complete(): boolean {
    return this.#choices.complete;
  }

  take({ data, text }: SseEvent): string {
    if (data === undefined) return this.begun ? text : '';
    if (this.done || data === '') return '';
    if (data === DONE) {
      if (!this.begun) throw new AttemptFailure('invalid', 'empty_stream');
      this.done = true;
      return text;
    }
    const chunk = parseChunk(data);
    this.#choices.see(chunk);
    for (const choice of chunk.choices) note(choice, this.said);
    if (typeof chunk.model === 'string') this.model = chunk.model;
    const hasUsage = chunk.usage !== undefined && chunk.usage !== null;
    if (hasUsage) this.tokens = readTokens(chunk.usage);
    this.begun ||= this.#begins(chunk);
    return hasUsage && chunk.choices.length === 0 && !this.#options.passUsage ? '' : text;
  }

  end(rest: string): string {
    if (this.begun) {
      if (this.complete && (rest === '' || dataOf(rest) === DONE)) return `data: ${DONE}\n\n`;
      throw new AttemptFailure('failed', 'stream_broken_off');
    }
    if (rest === '') throw new AttemptFailure('invalid', 'empty_stream');
    // Some servers and gateways do not stream, and answer with the whole.
    let events = '';
    for (const event of completionEvents(rest)) events += this.take(event);
    return events + this.take({ data: DONE, text: `data: ${DONE}\n\n` });
  }

  fail(_: ServiceError, json: string): string {
    return `data: ${json}\n\n`;
  }

  #begins(chunk: ChatChunk): boolean {
    if (chunk.choices.length === 0) return false;
    if (!this.#options.refuseFiltered || hasContent(chunk)) return true;
    const reasons = chunk.choices.map((choice) => choice?.finish_reason ?? null);
    if (reasons.includes('content_filter')) throw filtered();
    return reasons.some((reason) => reason !== null);
  }
}
