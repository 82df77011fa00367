/** Neutral events as lines of JSON. */
import type { ServiceError } from 'plugboard/sdk';
import type { Asked, Json, StreamWriter } from '../dialect.js';
import { NO_USAGE, type FinishReason, type NeutralEvent, type OpenPart } from '../neutral.js';
import { lineOf, writeCall, writeEnd } from './answer.js';

export class OllamaStreamWriter implements StreamWriter {
  readonly #asked: Asked;
  #open: OpenPart | undefined;
  /** A call is sent whole. */
  #arguments: string[] = [];
  #calls = 0;
  #finish: FinishReason = 'stop';
  #usage = NO_USAGE;

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  write(event: NeutralEvent): string {
    switch (event.type) {
      case 'open':
        this.#open = event.part;
        return '';
      case 'delta':
        if (this.#open?.kind === 'call') {
          this.#arguments.push(event.text);
          return '';
        }
        return this.#line(
          this.#open?.kind === 'thinking' ? { thinking: event.text } : { content: event.text },
        );
      case 'close':
        return this.#close();
      case 'usage':
        this.#usage = event.usage;
        return '';
      case 'finish':
        this.#finish = event.reason;
        return '';
      case 'end':
        return this.#line({}, writeEnd(this.#finish, this.#usage));
      case 'start':
      case 'signature':
        return '';
    }
  }

  fail(_: ServiceError, json: string): string {
    return `${json}\n`;
  }

  #close(): string {
    const part = this.#open;
    this.#open = undefined;
    if (part?.kind !== 'call') return '';
    const call = writeCall({ ...part, arguments: this.#arguments.join('') }, this.#calls);
    this.#arguments = [];
    this.#calls += 1;
    return this.#line({ tool_calls: [call] });
  }

  #line(said: Parameters<typeof lineOf>[1], end: Json = {}): string {
    return `${JSON.stringify({ ...lineOf(this.#asked, said), ...end })}\n`;
  }
}
