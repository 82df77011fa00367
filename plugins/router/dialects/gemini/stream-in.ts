/** The chunks of streamGenerateContent, to neutral events. */
import { CallIds } from '../call-ids.js';
import { AttemptFailure } from '../../call/failure.js';
import { readUpstreamError } from '../../call/upstream-error.js';
import { upstreamJson } from '../../call/upstream-json.js';
import type { FinishReason, NeutralEvent } from '../neutral.js';
import { PartSequence } from '../parts.js';
import { object, optionalList, optionalText } from '../reading.js';
import type { StreamReader } from '../dialect.js';
import { isBlocked, partsOf, readFinish, readUsage } from './answer.js';

/** There is no last event: the connection ends. */
export class ContentStreamReader implements StreamReader {
  readonly #parts = new PartSequence();
  readonly #calls = new CallIds();
  #reason: FinishReason | undefined;

  take(data: string): NeutralEvent[] {
    const chunk = object(upstreamJson(data), 'chunk');
    if (chunk['error'] !== undefined)
      throw new AttemptFailure('failed', readUpstreamError(data).code ?? 'error_in_stream');
    const candidate = optionalList(chunk['candidates'], 'candidates')[0];
    if (candidate !== undefined || isBlocked(chunk))
      this.#parts.start(
        optionalText(chunk['responseId'], 'responseId'),
        optionalText(chunk['modelVersion'], 'modelVersion'),
      );
    if (candidate !== undefined) {
      const read = object(candidate, 'candidates[0]');
      for (const part of partsOf(read, this.#calls)) {
        if (part.kind === 'text') this.#parts.text(part.text);
        else if (part.kind === 'call') {
          this.#parts.call(part.id, part.name);
          this.#parts.arguments(part.arguments);
          this.#parts.close();
        } else {
          this.#parts.thinking(part.text);
          if (part.signature !== undefined) this.#parts.signature(part.signature);
        }
      }
      if (read['finishReason'] !== undefined) this.#reason = readFinish(read['finishReason']);
    } else if (isBlocked(chunk)) this.#reason = 'filter';
    if (chunk['usageMetadata'] !== undefined) this.#parts.usage(readUsage(chunk['usageMetadata']));
    return this.#parts.taken();
  }

  /** Counts may come after the reason. */
  end(): NeutralEvent[] | undefined {
    if (this.#reason === undefined) return undefined;
    this.#parts.finish(this.#reason);
    this.#parts.end();
    return this.#parts.taken();
  }
}
