/** Neutral events as the events of a message. */
import type { ServiceError } from 'plugboard/sdk';
import { NO_USAGE, type NeutralEvent, type OpenPart, type Signature } from '../neutral.js';
import { marked } from '../signatures.js';
import type { Asked, Json, StreamWriter } from '../dialect.js';
import { writeStop, writeUsage } from './answer.js';
import { REDACTED } from './content-in.js';

export class MessageStreamWriter implements StreamWriter {
  readonly #model: string;
  #usage = NO_USAGE;
  #index = -1;
  /** Thinking is opened by its first text or its signature: that which is hidden has another block. */
  #isPending = false;
  #isOpen = false;
  #end = '';

  constructor({ model }: Asked) {
    this.#model = model;
  }

  write(event: NeutralEvent): string {
    switch (event.type) {
      case 'start':
        return eventOf('message_start', {
          message: {
            id: event.id ?? 'msg',
            type: 'message',
            role: 'assistant',
            model: this.#model,
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: writeUsage(this.#usage),
          },
        });
      case 'open':
        this.#isPending = event.part.kind === 'thinking';
        return this.#isPending ? '' : this.#open(blockOf(event.part), event.part.kind);
      case 'delta':
        return this.#opened() + this.#delta(this.#deltaOf(event.text));
      case 'signature':
        return this.#sign(event.signature);
      case 'close': {
        const opened = this.#opened();
        if (!this.#isOpen) return opened;
        this.#isOpen = false;
        return opened + eventOf('content_block_stop', { index: this.#index });
      }
      case 'usage':
        this.#usage = event.usage;
        return '';
      case 'finish':
        this.#end = writeStop(event.reason);
        this.#stopSequence = event.stopSequence ?? null;
        return '';
      case 'end': {
        const delta = { stop_reason: this.#end, stop_sequence: this.#stopSequence };
        return (
          eventOf('message_delta', { delta, usage: writeUsage(this.#usage) }) + eventOf('message_stop', {})
        );
      }
    }
  }

  #stopSequence: string | null = null;
  #kind: OpenPart['kind'] = 'text';

  fail(_: ServiceError, json: string): string {
    return `event: error\ndata: ${json}\n\n`;
  }

  #open(block: Json, kind: OpenPart['kind']): string {
    this.#index += 1;
    this.#isOpen = true;
    this.#kind = kind;
    return eventOf('content_block_start', { index: this.#index, content_block: block });
  }

  #opened(): string {
    if (!this.#isPending) return '';
    this.#isPending = false;
    return this.#open({ type: 'thinking', thinking: '', signature: '' }, 'thinking');
  }

  #sign(signature: Signature): string {
    if (this.#isPending && signature.origin === 'anthropic' && signature.value.startsWith(REDACTED)) {
      this.#isPending = false;
      return this.#open(
        { type: 'redacted_thinking', data: signature.value.slice(REDACTED.length) },
        'thinking',
      );
    }
    const opened = this.#opened();
    return opened + this.#delta({ type: 'signature_delta', signature: marked(signature, 'anthropic') });
  }

  #deltaOf(text: string): Json {
    switch (this.#kind) {
      case 'text':
        return { type: 'text_delta', text };
      case 'thinking':
        return { type: 'thinking_delta', thinking: text };
      case 'call':
        return { type: 'input_json_delta', partial_json: text };
    }
  }

  #delta(delta: Json): string {
    return eventOf('content_block_delta', { index: this.#index, delta });
  }
}

function blockOf(part: OpenPart): Json {
  if (part.kind === 'call') return { type: 'tool_use', id: part.id, name: part.name, input: {} };
  return { type: 'text', text: '' };
}

function eventOf(type: string, members: Json): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`;
}
