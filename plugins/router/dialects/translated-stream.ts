/** A stream from an upstream's dialect to the client's: event by event, or unchanged if they are the same. */
import type { ServiceError } from 'plugboard/sdk';
import { AttemptFailure, filtered, guardFailure } from '../call/failure.js';
import type { AnswerGuard } from '../guards/guards.js';
import { parseObject } from '../call/read-answer.js';
import type { SseEvent } from '../call/sse.js';
import type { StreamCodec } from '../call/stream-codec.js';
import { Said } from '../estimate/said.js';
import { NO_TOKENS, type TokenUsage } from '../usage/tokens.js';
import type { Asked, ClientDialect, Dialect, StreamReader, StreamWriter } from './dialect.js';
import type { NeutralEvent, NeutralUsage } from './neutral.js';
import { eventsOf, FirstCall } from './parts.js';
import { Unreadable } from './reading.js';

export class TranslatedStream implements StreamCodec {
  begun = false;
  complete = false;
  done = false;
  tokens: TokenUsage = NO_TOKENS;
  model: string | null = null;
  readonly said = new Said();
  readonly sent: Said;
  readonly #upstream: Dialect;
  readonly #reader: StreamReader;
  readonly #writer: StreamWriter;
  readonly #passes: boolean;
  readonly #refuseFiltered: boolean;
  readonly #guard: AnswerGuard | undefined;
  readonly #first: FirstCall | undefined;

  /** With `passes` the client gets the upstream's own text, unless a guard sees it. */
  constructor(
    upstream: Dialect,
    { client, asked }: { readonly client: ClientDialect; readonly asked: Asked },
    options: {
      readonly passes: boolean;
      readonly refuseFiltered: boolean;
      readonly guard: AnswerGuard | undefined;
    },
  ) {
    this.#upstream = upstream;
    this.#reader = upstream.readStream();
    this.#writer = client.writeStream(asked);
    this.#passes = options.passes && options.guard === undefined;
    this.#refuseFiltered = options.refuseFiltered;
    this.#guard = options.guard;
    this.sent = options.guard === undefined ? this.said : new Said();
    this.#first =
      !options.passes && asked.request.settings.parallelTools === false ? new FirstCall() : undefined;
  }

  take({ data, text }: SseEvent): string {
    if (data === undefined) return this.begun ? text : '';
    if (this.done || data === '') return '';
    const written = this.#see(readSafely(() => this.#reader.take(data)));
    return this.#passes ? text : written;
  }

  end(rest: string): string {
    if (!this.begun && rest.startsWith('{')) return this.#whole(rest);
    const last = readSafely(() => this.#reader.end());
    if (last === undefined)
      throw this.begun
        ? new AttemptFailure('failed', 'stream_broken_off')
        : new AttemptFailure('invalid', rest === '' ? 'empty_stream' : 'not_a_stream');
    const written = this.#see(last);
    return this.#passes ? '' : written;
  }

  fail(error: ServiceError, json: string): string {
    return this.#writer.fail(error, json);
  }

  /** Some servers and gateways do not stream, and answer with the whole. */
  #whole(rest: string): string {
    const answer = readSafely(() => this.#upstream.readAnswer(parseObject(rest)));
    return this.#see(eventsOf(answer), false);
  }

  #see(events: readonly NeutralEvent[], passes = this.#passes): string {
    let written = '';
    for (const event of events) {
      this.#note(event);
      if (passes || this.#first?.keeps(event) === false) continue;
      for (const guarded of this.#guarded(event)) {
        written += this.#writer.write(guarded);
        if (this.#guard !== undefined && guarded.type === 'delta') this.sent.add(guarded.text);
      }
    }
    return written;
  }

  #guarded(event: NeutralEvent): readonly NeutralEvent[] {
    if (this.#guard === undefined) return [event];
    try {
      return this.#guard.take(event);
    } catch (error) {
      throw guardFailure(error);
    }
  }

  #note(event: NeutralEvent): void {
    switch (event.type) {
      case 'start':
        this.model = event.model ?? this.model;
        break;
      case 'open':
        this.begun = true;
        if (event.part.kind === 'call') this.said.add(event.part.name);
        break;
      case 'delta':
        this.said.add(event.text);
        break;
      case 'usage':
        this.tokens = tokensOf(event.usage);
        break;
      case 'finish':
        if (!this.begun && event.reason === 'filter' && this.#refuseFiltered) throw filtered();
        this.begun = true;
        this.complete = true;
        break;
      case 'end':
        this.done = true;
        break;
      case 'signature':
      case 'close':
        break;
    }
  }
}

export function tokensOf({ input, output, cached, cacheWritten, reasoning }: NeutralUsage): TokenUsage {
  return {
    tokensIn: input,
    tokensOut: output,
    tokensCached: cached,
    tokensCacheWritten: cacheWritten,
    tokensReasoning: reasoning,
  };
}

/** What an upstream sent is its own fault. */
export function readSafely<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable)
      throw new AttemptFailure('invalid', 'unexpected_shape', { cause: error });
    throw error;
  }
}
