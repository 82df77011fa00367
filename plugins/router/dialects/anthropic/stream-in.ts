/** The events of a message, to neutral ones. */
import { AttemptFailure } from '../../call/failure.js';
import { readUpstreamError } from '../../call/upstream-error.js';
import { upstreamJson } from '../../call/upstream-json.js';
import type { NeutralEvent, NeutralUsage } from '../neutral.js';
import { NO_USAGE } from '../neutral.js';
import { PartSequence } from '../parts.js';
import { object, optionalText, text } from '../reading.js';
import { unmarked } from '../signatures.js';
import type { Json, StreamReader } from '../dialect.js';
import { readStop, readUsage } from './answer.js';
import { REDACTED } from './content-in.js';

export class MessageStreamReader implements StreamReader {
  readonly #parts = new PartSequence();
  #usage: NeutralUsage = NO_USAGE;

  take(data: string): NeutralEvent[] {
    const event = object(upstreamJson(data), 'event');
    switch (event['type']) {
      case 'message_start': {
        const message = object(event['message'], 'message');
        this.#parts.start(optionalText(message['id'], 'id'), optionalText(message['model'], 'model'));
        this.#count(message['usage']);
        break;
      }
      case 'content_block_start':
        this.#begin(object(event['content_block'], 'content_block'));
        break;
      case 'content_block_delta':
        this.#delta(object(event['delta'], 'delta'));
        break;
      case 'content_block_stop':
        this.#parts.close();
        break;
      case 'message_delta': {
        this.#count(event['usage']);
        const delta = object(event['delta'], 'delta');
        if (delta['stop_reason'] === null || delta['stop_reason'] === undefined) break;
        this.#parts.finish(
          readStop(delta['stop_reason']),
          optionalText(delta['stop_sequence'], 'stop_sequence'),
        );
        break;
      }
      case 'message_stop':
        return this.end() ?? [];
      case 'error':
        throw new AttemptFailure('failed', readUpstreamError(data).code ?? 'error_in_stream');
    }
    return this.#parts.taken();
  }

  end(): NeutralEvent[] | undefined {
    if (!this.#parts.isFinished) return undefined;
    this.#parts.end();
    return this.#parts.taken();
  }

  #begin(block: Json): void {
    this.#parts.close();
    switch (block['type']) {
      case 'text':
        this.#parts.text(optionalText(block['text'], 'text') ?? '');
        break;
      case 'thinking':
        this.#parts.thinking(optionalText(block['thinking'], 'thinking') ?? '');
        break;
      case 'redacted_thinking':
        this.#parts.signature({ origin: 'anthropic', value: `${REDACTED}${text(block['data'], 'data')}` });
        break;
      case 'tool_use':
        this.#parts.call(text(block['id'], 'id'), text(block['name'], 'name'));
        break;
    }
  }

  #delta(delta: Json): void {
    switch (delta['type']) {
      case 'text_delta':
        this.#parts.text(text(delta['text'], 'text'));
        break;
      case 'thinking_delta':
        this.#parts.thinking(text(delta['thinking'], 'thinking'));
        break;
      case 'signature_delta':
        this.#parts.signature(unmarked(text(delta['signature'], 'signature'), 'anthropic'));
        break;
      case 'input_json_delta':
        this.#parts.arguments(text(delta['partial_json'], 'partial_json'));
        break;
    }
  }

  /** The counts are cumulative, and an event names those that changed. */
  #count(usage: unknown): void {
    const now = readUsage(usage);
    const before = this.#usage;
    this.#usage = {
      input: now.input ?? before.input,
      output: now.output ?? before.output,
      cached: now.cached ?? before.cached,
      cacheWritten: now.cacheWritten ?? before.cacheWritten,
      reasoning: null,
    };
    this.#parts.usage(this.#usage);
  }
}
