/**
 * A chat stream on its way from an upstream to a client: whole events only, read no faster than the client
 * takes them, and what it cost is known when it ends.
 */
import { StringDecoder } from 'node:string_decoder';
import type { UpstreamResponse } from '../upstream/upstream.js';
import { attemptFailure, type Limits } from './exchange.js';
import { AttemptFailure } from './failure.js';
import { EventTooLarge, SseParser, type SseEvent } from './sse.js';
import { NO_TOKENS, readTokens, type TokenUsage } from './tokens.js';
import type { Watchdog } from './watchdog.js';

export interface StreamEnd {
  readonly tokens: TokenUsage;
  /** The model that the upstream says it served. */
  readonly model: string | null;
  /** Null when the stream came to its own end. */
  readonly failure: AttemptFailure | null;
}

export interface ChatStreamOptions {
  readonly limits: Limits;
  /** The client asked for the event with the token counts; otherwise it is read and kept back. */
  readonly passUsage: boolean;
}

/** How long the end of the connection is waited for after the last event, so that it can be used again. */
const DRAIN = 1_000;

export class ChatStream implements AsyncIterableIterator<string> {
  /** Called once, however the stream ends. */
  onEnd: ((end: StreamEnd) => void) | undefined;
  /** The event that tells the client of a failure in mid stream. */
  describeFailure: (failure: AttemptFailure) => string = () => '';

  readonly #pieces: AsyncIterator<Buffer>;
  readonly #body: UpstreamResponse['body'];
  readonly #watchdog: Watchdog;
  readonly #options: ChatStreamOptions;
  readonly #decoder = new StringDecoder('utf8');
  readonly #parser: SseParser;
  /** Read before the commit, not yet handed on. */
  #held = '';
  #begun = false;
  #finished = false;
  #done = false;
  #ended = false;
  #untold: AttemptFailure | null = null;
  #tokens = NO_TOKENS;
  #model: string | null = null;

  /** Opens the stream and resolves after its first event: until then a failure may be hidden by trying elsewhere. */
  static async open(
    response: UpstreamResponse,
    watchdog: Watchdog,
    options: ChatStreamOptions,
  ): Promise<ChatStream> {
    const stream = new ChatStream(response, watchdog, options);
    try {
      await stream.#readFirst();
      return stream;
    } catch (error) {
      response.body.on('error', ignore).destroy();
      throw attemptFailure(error, watchdog);
    }
  }

  private constructor(response: UpstreamResponse, watchdog: Watchdog, options: ChatStreamOptions) {
    this.#body = response.body;
    this.#pieces = (response.body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    this.#watchdog = watchdog;
    this.#options = options;
    this.#parser = new SseParser(options.limits.maxAnswerBytes);
    // Nobody may be reading when the client goes away or the call's time is over.
    watchdog.signal.addEventListener('abort', () => this.#end(watchdog.signal.reason as AttemptFailure), {
      once: true,
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    if (this.#held !== '') {
      const value = this.#held;
      this.#held = '';
      return { done: false, value };
    }
    if (this.#ended) return this.#tell();
    try {
      if (this.#done) return await this.#drain();
      for (;;) {
        this.#watchdog.arm('idle', this.#options.limits.idle);
        const value = await this.#read();
        this.#watchdog.disarm();
        if (value !== '') return { done: false, value };
      }
    } catch (error) {
      this.#end(attemptFailure(error, this.#watchdog));
      return this.#tell();
    }
  }

  /** The reader has had enough. */
  return(): Promise<IteratorResult<string, undefined>> {
    this.#end(this.#done ? null : new AttemptFailure('client_gone', 'client_gone'));
    return Promise.resolve({ done: true, value: undefined });
  }

  /** One limit for all that comes before the first event: comments do not prolong it. */
  async #readFirst(): Promise<void> {
    this.#watchdog.arm('first_token', this.#options.limits.firstToken);
    while (!this.#begun) this.#held += await this.#read();
    this.#watchdog.disarm();
  }

  /** One piece from the upstream, as the text of the events that it completed. */
  async #read(): Promise<string> {
    const { done, value } = await this.#pieces.next();
    if (done === true) return this.#atEnd();
    let text = '';
    for (const event of this.#parse(this.#decoder.write(value))) text += this.#take(event);
    return text;
  }

  #parse(text: string): SseEvent[] {
    try {
      return this.#parser.push(text);
    } catch (error) {
      if (error instanceof EventTooLarge) throw new AttemptFailure('invalid', 'event_too_large');
      throw error;
    }
  }

  /** What the client gets of an event. */
  #take({ data, text }: SseEvent): string {
    if (data === undefined) return this.#begun ? text : '';
    if (this.#done) return '';
    if (data === '[DONE]') {
      if (!this.#begun) throw new AttemptFailure('invalid', 'empty_stream');
      this.#done = true;
      return text;
    }
    const chunk = parseChunk(data);
    this.#begun = true;
    if (typeof chunk.model === 'string') this.#model = chunk.model;
    if (chunk.choices.some((choice) => choice?.finish_reason)) this.#finished = true;
    if (chunk.usage === undefined || chunk.usage === null) return text;
    this.#tokens = readTokens(chunk.usage);
    return chunk.choices.length === 0 && !this.#options.passUsage ? '' : text;
  }

  /** The connection ended. Servers that forget `[DONE]` after a finished answer are forgiven. */
  #atEnd(): string {
    if (!this.#begun) throw new AttemptFailure('invalid', 'empty_stream');
    if (!this.#finished || this.#parser.isInside) throw new AttemptFailure('failed', 'stream_broken_off');
    this.#done = true;
    return 'data: [DONE]\n\n';
  }

  async #drain(): Promise<IteratorResult<string, undefined>> {
    this.#watchdog.arm('idle', Math.min(DRAIN, this.#options.limits.idle));
    try {
      while ((await this.#pieces.next()).done !== true);
    } catch {
      // The answer is complete; only the connection is lost.
    }
    this.#end(null);
    return { done: true, value: undefined };
  }

  /** The last that the client hears of a failure is an event: its status was sent long ago. */
  #tell(): IteratorResult<string, undefined> {
    const failure = this.#untold;
    this.#untold = null;
    return failure === null || failure.kind === 'client_gone'
      ? { done: true, value: undefined }
      : { done: false, value: this.describeFailure(failure) };
  }

  #end(failure: AttemptFailure | null): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#untold = this.#done ? null : failure;
    this.#watchdog.stop();
    this.#body.on('error', ignore).destroy();
    this.onEnd?.({ tokens: this.#tokens, model: this.#model, failure: this.#untold });
  }
}

interface Chunk {
  readonly model?: unknown;
  readonly usage?: unknown;
  readonly choices: readonly ({ readonly finish_reason?: unknown } | null)[];
}

function parseChunk(data: string): Chunk {
  let chunk: (Partial<Chunk> & { error?: unknown }) | null;
  try {
    chunk = JSON.parse(data) as typeof chunk;
  } catch {
    throw new AttemptFailure('invalid', 'not_json');
  }
  if (typeof chunk !== 'object' || chunk === null) throw new AttemptFailure('invalid', 'not_an_object');
  if (chunk.error !== undefined && chunk.error !== null)
    throw new AttemptFailure('failed', 'error_in_stream');
  if (!Array.isArray(chunk.choices)) throw new AttemptFailure('invalid', 'no_choices');
  return chunk as Chunk;
}

function ignore(): void {}
