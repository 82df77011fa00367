/** Neutral events as the events of a chat completion. */
import type { ServiceError } from 'plugboard/sdk';
import { isObject } from '../reading.js';
import { NO_USAGE, type NeutralEvent } from '../neutral.js';
import { marked } from '../signatures.js';
import type { Asked, Json, StreamWriter } from '../dialect.js';
import { writeFinish, writeUsage } from './answer.js';

export class ChatStreamWriter implements StreamWriter {
  readonly #model: string;
  readonly #withUsage: boolean;
  readonly #created = Math.floor(Date.now() / 1_000);
  #id = 'chatcmpl';
  #calls = 0;
  #parts = 0;
  #open = '';
  #usage = NO_USAGE;

  constructor({ model, body }: Asked) {
    this.#model = model;
    const options = body['stream_options'];
    this.#withUsage = isObject(options) && options['include_usage'] === true;
  }

  write(event: NeutralEvent): string {
    switch (event.type) {
      case 'start':
        this.#id = event.id ?? this.#id;
        return this.#delta({ role: 'assistant', content: '' });
      case 'open': {
        this.#open = event.part.kind;
        this.#parts += 1;
        if (event.part.kind !== 'call') return '';
        const { id, name } = event.part;
        this.#calls += 1;
        return this.#call({ id, type: 'function', function: { name, arguments: '' } });
      }
      case 'delta':
        if (this.#open === 'call') return this.#call({ function: { arguments: event.text } });
        return this.#delta(
          this.#open === 'thinking' ? { reasoning_content: event.text } : { content: event.text },
        );
      case 'signature': {
        const signature = marked(event.signature, 'chat');
        const detail = { type: 'reasoning.text', index: this.#parts - 1, signature };
        return this.#delta({ reasoning_details: [detail] });
      }
      case 'close':
        return '';
      case 'usage':
        this.#usage = event.usage;
        return '';
      case 'finish':
        return this.#chunk([
          { index: 0, delta: {}, logprobs: null, finish_reason: writeFinish(event.reason) },
        ]);
      case 'end': {
        const usage = this.#withUsage ? this.#chunk([], { usage: writeUsage(this.#usage) }) : '';
        return `${usage}data: [DONE]\n\n`;
      }
    }
  }

  fail(_: ServiceError, json: string): string {
    return `data: ${json}\n\n`;
  }

  #call(call: Json): string {
    return this.#delta({ tool_calls: [{ index: this.#calls - 1, ...call }] });
  }

  #delta(delta: Json): string {
    return this.#chunk([{ index: 0, delta, logprobs: null, finish_reason: null }]);
  }

  #chunk(choices: readonly object[], more: Json = {}): string {
    const chunk = {
      id: this.#id,
      object: 'chat.completion.chunk',
      created: this.#created,
      model: this.#model,
      choices,
      ...more,
    };
    return `data: ${JSON.stringify(chunk)}\n\n`;
  }
}
