/** The events of a response, to neutral ones. */
import { AttemptFailure } from '../../call/failure.js';
import { upstreamJson } from '../../call/upstream-json.js';
import type { NeutralEvent } from '../neutral.js';
import { PartSequence } from '../parts.js';
import { isObject, object, optionalText, text } from '../reading.js';
import type { Json, StreamReader } from '../dialect.js';
import { readStatus, readUsage } from './answer.js';
import { readReasoning } from './input-in.js';

export class ResponseStreamReader implements StreamReader {
  readonly #parts = new PartSequence();
  /** Characters of the item under way that have come as deltas: some servers send its end alone. */
  #seen = 0;
  #hasCalls = false;

  take(data: string): NeutralEvent[] {
    if (data === '[DONE]') return [];
    const event = object(upstreamJson(data), 'event');
    switch (event['type']) {
      case 'response.created':
      case 'response.in_progress': {
        const response = object(event['response'], 'response');
        this.#parts.start(optionalText(response['id'], 'id'), optionalText(response['model'], 'model'));
        break;
      }
      case 'response.output_item.added':
        this.#begin(object(event['item'], 'item'));
        break;
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        this.#parts.text(this.#delta(event));
        break;
      case 'response.reasoning_summary_part.added':
        if (this.#seen > 0) this.#parts.thinking('\n\n');
        break;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.#parts.thinking(this.#delta(event));
        break;
      case 'response.function_call_arguments.delta':
        this.#parts.arguments(this.#delta(event));
        break;
      case 'response.output_item.done':
        this.#finishItem(object(event['item'], 'item'));
        break;
      case 'response.completed':
      case 'response.incomplete': {
        const response = object(event['response'], 'response');
        this.#parts.usage(readUsage(response['usage']));
        this.#parts.finish(readStatus(response, this.#hasCalls));
        this.#parts.end();
        break;
      }
      case 'response.failed':
      case 'error':
        throw new AttemptFailure('failed', 'error_in_stream');
    }
    return this.#parts.taken();
  }

  end(): undefined {
    return undefined;
  }

  #begin(item: Json): void {
    this.#seen = 0;
    this.#parts.close();
    if (item['type'] !== 'function_call') return;
    this.#hasCalls = true;
    this.#parts.call(text(item['call_id'], 'call_id'), text(item['name'], 'name'));
  }

  #delta(event: Json): string {
    const delta = text(event['delta'], 'delta');
    this.#seen += delta.length;
    return delta;
  }

  #finishItem(item: Json): void {
    if (item['type'] === 'function_call' && this.#seen === 0)
      this.#parts.arguments(optionalText(item['arguments'], 'arguments') ?? '');
    if (item['type'] === 'message' && this.#seen === 0 && Array.isArray(item['content']))
      for (const part of item['content'])
        if (isObject(part)) this.#parts.text(optionalText(part['text'] ?? part['refusal'], 'text') ?? '');
    if (item['type'] === 'reasoning') {
      const part = readReasoning(item, 'item');
      if (part.kind === 'thinking' && this.#seen === 0) this.#parts.thinking(part.text);
      if (part.kind === 'thinking' && part.signature !== undefined) this.#parts.signature(part.signature);
    }
    this.#parts.close();
    this.#seen = 0;
  }
}
