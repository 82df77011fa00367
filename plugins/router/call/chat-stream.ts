/**
 * A chat stream on its way from an upstream to a client: whole events only, read no faster than the client
 * takes them, and what it cost is known when it ends.
 */
import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { UpstreamAnswer } from '../upstream/answer.js';
import type { BodyReader } from '../upstream/body-reader.js';
import { ChoiceEnds, parseChunk } from './chat-chunk.js';
import { attemptFailure, type Limits } from './exchange.js';
import { AttemptFailure } from './failure.js';
import { dataOf, EventTooLarge, SseParser, type SseEvent } from './sse.js';
import { NO_TOKENS, readTokens, type TokenUsage } from '../usage/tokens.js';
import type { Watchdog } from './watchdog.js';

export interface StreamEnd {
  readonly tokens: TokenUsage;
  /** The model that the upstream says it served. */
  readonly model: string | null;
  /** Null when the stream came to its own end. */
  readonly failure: AttemptFailure | null;
}

/** Who hears of what the client cannot know yet when the stream opens. */
export interface StreamFollower {
  /** The event that tells the client of a failure in mid stream: its status was sent long ago. */
  describe(failure: AttemptFailure): string;
  /** Called once, however the stream ends. */
  ended(end: StreamEnd): void;
}

export interface ChatStreamOptions {
  readonly limits: Limits;
  /** The client asked for the event with the token counts; otherwise it is read and kept back. */
  readonly passUsage: boolean;
}

/** The data of the last event. */
const DONE = '[DONE]';
/** How long the end of the answer is waited for after its last event, so that its connection can be used again. */
const DRAIN = 1_000;
/** How long a finished answer is read on, for its token counts, when the client has left. */
const READ_ON = 2_000;

export class ChatStream extends Readable implements BodyReader {
  readonly #answer: UpstreamAnswer;
  readonly #watchdog: Watchdog;
  readonly #options: ChatStreamOptions;
  readonly #decoder = new StringDecoder('utf8');
  readonly #parser: SseParser;
  readonly #choices = new ChoiceEnds();
  /** Set while the first event is waited for. */
  #opening: { resolve(): void; reject(failure: AttemptFailure): void } | undefined;
  #follower: StreamFollower | undefined;
  #paused = false;
  /** The client has left a finished answer: it is read on for its token counts. */
  #isReadOn = false;
  /** Events before the first that has choices. */
  #early = '';
  #begun = false;
  #done = false;
  #end: StreamEnd | undefined;
  #drain: NodeJS.Timeout | undefined;
  #tokens = NO_TOKENS;
  #model: string | null = null;

  /** Opens the stream and resolves after its first event: until then a failure may be hidden by trying elsewhere. */
  static async open(
    answer: UpstreamAnswer,
    watchdog: Watchdog,
    options: ChatStreamOptions,
  ): Promise<ChatStream> {
    const stream = new ChatStream(answer, watchdog, options);
    watchdog.guard((failure) => stream.#giveUp(failure));
    watchdog.arm('first_token', options.limits.firstToken);
    await new Promise<void>((resolve, reject) => {
      stream.#opening = { resolve, reject };
      answer.read(stream);
    });
    return stream;
  }

  private constructor(answer: UpstreamAnswer, watchdog: Watchdog, options: ChatStreamOptions) {
    super();
    this.#answer = answer;
    this.#watchdog = watchdog;
    this.#options = options;
    this.#parser = new SseParser(options.limits.maxAnswerBytes);
  }

  /** A short stream may have ended before this. */
  follow(follower: StreamFollower): void {
    this.#follower = follower;
    if (this.#end !== undefined) this.#tell(this.#end);
  }

  /** The client takes more. */
  override _read(): void {
    if (!this.#paused || this.#end !== undefined) return;
    this.#paused = false;
    this.#watchdog.arm('idle', this.#options.limits.idle);
    this.#answer.resume();
  }

  /** The end is out, or the client has had enough. */
  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#giveUp(new AttemptFailure('client_gone', 'client_gone'));
    callback(error);
  }

  /** From the upstream. */
  piece(bytes: Buffer): void {
    if (this.#end !== undefined) return;
    let text = '';
    try {
      for (const event of this.#parser.push(this.#decoder.write(bytes))) text += this.#take(event);
    } catch (error) {
      // What came before it is whole.
      if (this.#opening === undefined) this.#send(text);
      this.fail(error instanceof EventTooLarge ? new AttemptFailure('invalid', 'event_too_large') : error);
      return;
    }
    if (this.#done) {
      this.#complete(text);
      this.#drain = setTimeout(() => this.#answer.abort(new Error('it does not end')), DRAIN).unref();
    } else if (this.#begun) {
      this.#pass(text);
    } else {
      // Comments say that the upstream is at work: a model may think for minutes before its first word.
      this.#watchdog.arm('first_token', this.#options.limits.firstToken);
    }
  }

  /** The connection ended. Servers that forget `[DONE]` after a finished answer are forgiven. */
  end(): void {
    clearTimeout(this.#drain);
    if (this.#end !== undefined) return;
    const rest = this.#parser.rest();
    if (!this.#begun) this.fail(new AttemptFailure('invalid', rest === '' ? 'empty_stream' : 'not_a_stream'));
    else if (this.#choices.complete && (rest === '' || dataOf(rest) === DONE))
      this.#complete(`data: ${DONE}\n\n`);
    else this.fail(new AttemptFailure('failed', 'stream_broken_off'));
  }

  /** The connection broke, or the watchdog ended the attempt. */
  fail(error: unknown): void {
    clearTimeout(this.#drain);
    this.#finish(attemptFailure(error));
  }

  /** What the client gets of an event. */
  #take({ data, text }: SseEvent): string {
    if (data === undefined) return this.#begun ? text : '';
    if (this.#done || data === '') return '';
    if (data === DONE) {
      if (!this.#begun) throw new AttemptFailure('invalid', 'empty_stream');
      this.#done = true;
      return text;
    }
    const chunk = parseChunk(data);
    this.#choices.see(chunk);
    if (typeof chunk.model === 'string') this.#model = chunk.model;
    const hasUsage = chunk.usage !== undefined && chunk.usage !== null;
    if (hasUsage) this.#tokens = readTokens(chunk.usage);
    const passed = hasUsage && chunk.choices.length === 0 && !this.#options.passUsage ? '' : text;
    if (this.#begun) return passed;
    this.#early += passed;
    if (this.#early.length > this.#options.limits.maxAnswerBytes)
      throw new AttemptFailure('invalid', 'no_choices');
    if (chunk.choices.length === 0) return '';
    this.#begun = true;
    const early = this.#early;
    this.#early = '';
    return early;
  }

  #pass(text: string): void {
    const isFull = text !== '' && !this.#send(text);
    if (this.#paused) return;
    // At first the client is not there yet; later it may be slow.
    if (isFull || this.#opening !== undefined) {
      this.#paused = true;
      this.#watchdog.disarm();
      this.#answer.pause();
      this.#commit();
    } else {
      this.#watchdog.arm('idle', this.#options.limits.idle);
    }
  }

  /** The client left, or a time limit was reached. */
  #giveUp(failure: AttemptFailure): void {
    if (this.#end !== undefined || this.#isReadOn) return;
    if (failure.kind === 'client_gone' && this.#choices.complete) this.#readOn();
    else this.#finish(failure);
  }

  #readOn(): void {
    this.#isReadOn = true;
    this.#watchdog.disarm();
    this.#drain = setTimeout(() => this.#finish(null), READ_ON).unref();
    if (this.#paused) this.#answer.resume();
  }

  /** False when the client should take some first. */
  #send(text: string): boolean {
    return this.#isReadOn || this.push(text);
  }

  #complete(text: string): void {
    clearTimeout(this.#drain);
    this.#send(text);
    this.#commit();
    // Nobody will ask for more: what ends the answer must be read, or its connection is lost.
    if (this.#paused) this.#answer.resume();
    this.#finish(null);
  }

  #commit(): void {
    if (this.#opening === undefined) return;
    this.#watchdog.lift();
    this.#opening.resolve();
    this.#opening = undefined;
  }

  #finish(reason: AttemptFailure | null): void {
    if (this.#end !== undefined) return;
    // The client has all that it wanted.
    const failure = this.#isReadOn ? null : reason;
    this.#end = { tokens: this.#tokens, model: this.#model, failure };
    this.#watchdog.stop();
    if (failure !== null) this.#answer.abort(failure);
    else if (this.#isReadOn && !this.#done) this.#answer.abort(new Error('its client has left'));
    if (this.#opening !== undefined && failure !== null) this.#opening.reject(failure);
    else if (this.#follower !== undefined) this.#tell(this.#end);
  }

  #tell(end: StreamEnd): void {
    const { failure } = end;
    if (this.#isReadOn) {
      this.#follower?.ended(end);
      return;
    }
    if (failure !== null && failure.kind !== 'client_gone') this.push(this.#follower?.describe(failure));
    if (failure?.kind !== 'client_gone') this.push(null);
    this.#follower?.ended(end);
  }
}
