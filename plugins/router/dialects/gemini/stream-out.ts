/** Neutral events as the chunks of streamGenerateContent. */
import type { ServiceError } from 'plugboard/sdk';
import { NO_USAGE, type FinishReason, type NeutralEvent, type OpenPart } from '../neutral.js';
import { argumentsObject } from '../reading.js';
import { marked } from '../signatures.js';
import type { Asked, Json, StreamWriter } from '../dialect.js';
import { writeFinish, writeUsage } from './answer.js';

export class ContentStreamWriter implements StreamWriter {
  readonly #model: string;
  #id = '';
  #usage = NO_USAGE;
  #open: OpenPart | undefined;
  /** A call is sent whole. */
  #arguments: string[] = [];
  #finish: FinishReason = 'stop';

  constructor({ model }: Asked) {
    this.#model = model;
  }

  write(event: NeutralEvent): string {
    switch (event.type) {
      case 'start':
        this.#id = event.id ?? '';
        return '';
      case 'open':
        this.#open = event.part;
        return '';
      case 'delta':
        if (this.#open?.kind === 'call') {
          this.#arguments.push(event.text);
          return '';
        }
        return this.#part({ text: event.text, ...(this.#open?.kind === 'thinking' && { thought: true }) });
      case 'signature':
        return this.#part({ text: '', thought: true, thoughtSignature: marked(event.signature, 'gemini') });
      case 'close':
        return this.#close();
      case 'usage':
        this.#usage = event.usage;
        return '';
      case 'finish':
        this.#finish = event.reason;
        return '';
      case 'end':
        return this.#chunk({
          content: { role: 'model', parts: [] },
          finishReason: writeFinish(this.#finish),
        });
    }
  }

  fail(_: ServiceError, json: string): string {
    return `data: ${json}\n\n`;
  }

  #close(): string {
    const part = this.#open;
    this.#open = undefined;
    if (part?.kind !== 'call') return '';
    const args = argumentsObject(this.#arguments.join(''));
    this.#arguments = [];
    return this.#part({ functionCall: { id: part.id, name: part.name, args } });
  }

  #part(part: Json): string {
    return this.#chunk({ content: { role: 'model', parts: [part] } });
  }

  #chunk(candidate: Json): string {
    const chunk = {
      candidates: [{ ...candidate, index: 0 }],
      usageMetadata: writeUsage(this.#usage),
      modelVersion: this.#model,
      responseId: this.#id,
    };
    return `data: ${JSON.stringify(chunk)}\n\n`;
  }
}
