/**
 * A stream of events on its way from an upstream to a client: whole events only, read no faster than the client
 * takes them, and what it cost is known when it ends.
 */
import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { UpstreamAnswer } from '../upstream/answer.js';
import type { BodyReader } from '../upstream/body-reader.js';
import { attemptFailure, type Limits } from './exchange.js';
import { AttemptFailure } from './failure.js';
import { EventTooLarge, SseParser } from './sse.js';
import type { StreamCodec } from './stream-codec.js';
import type { Answered } from '../estimate/estimator.js';
import type { TokenUsage } from '../usage/tokens.js';
import type { Watchdog } from './watchdog.js';

export interface StreamEnd {
  readonly tokens: TokenUsage;
  /** The answer's text as far as it came. */
  readonly answer: Answered;
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

/** How long to wait for the end of the answer after its last event, so that its connection can be reused. */
const DRAIN = 1_000;
/** How long a finished answer is read on, for its token counts, when the client has left. */
const READ_ON = 2_000;

export class ChatStream extends Readable implements BodyReader {
  readonly #answer: UpstreamAnswer;
  readonly #watchdog: Watchdog;
  readonly #limits: Limits;
  readonly #codec: StreamCodec;
  readonly #decoder = new StringDecoder('utf8');
  readonly #parser: SseParser;
  /** Set while the first event is waited for. */
  #opening: { resolve(): void; reject(failure: AttemptFailure): void } | undefined;
  #follower: StreamFollower | undefined;
  #paused = false;
  /** The client has left a finished answer: it is read on for its token counts. */
  #isReadOn = false;
  /** For the client, held until the answer has begun. */
  #early = '';
  #end: StreamEnd | undefined;
  #drain: NodeJS.Timeout | undefined;

  /** Opens the stream and resolves after its first event: until then a failure may be hidden by trying elsewhere. */
  static async open(
    answer: UpstreamAnswer,
    watchdog: Watchdog,
    limits: Limits,
    codec: StreamCodec,
  ): Promise<ChatStream> {
    const stream = new ChatStream(answer, watchdog, limits, codec);
    watchdog.guard((failure) => stream.#giveUp(failure));
    watchdog.arm('first_token', limits.firstToken);
    await new Promise<void>((resolve, reject) => {
      stream.#opening = { resolve, reject };
      answer.read(stream);
    });
    return stream;
  }

  private constructor(answer: UpstreamAnswer, watchdog: Watchdog, limits: Limits, codec: StreamCodec) {
    super();
    this.#answer = answer;
    this.#watchdog = watchdog;
    this.#limits = limits;
    this.#codec = codec;
    this.#parser = new SseParser(limits.maxAnswerBytes);
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
    this.#watchdog.arm('idle', this.#limits.idle);
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
      for (const event of this.#parser.push(this.#decoder.write(bytes))) text += this.#codec.take(event);
      if (!this.#codec.begun) this.#hold(text);
    } catch (error) {
      // What came before it is whole.
      if (this.#opening === undefined) this.#send(text);
      this.fail(error instanceof EventTooLarge ? new AttemptFailure('invalid', 'event_too_large') : error);
      return;
    }
    if (this.#codec.done) {
      this.#complete(text);
      this.#drain = setTimeout(() => this.#answer.abort(new Error('it does not end')), DRAIN).unref();
    } else if (this.#codec.begun) {
      this.#pass(this.#released(text));
    } else {
      // Comments show that the upstream is at work: a model may think for minutes before its first word.
      this.#watchdog.arm('first_token', this.#limits.firstToken);
    }
  }

  /** The connection ended. Servers that forget the last event after a finished answer are forgiven. */
  end(): void {
    clearTimeout(this.#drain);
    if (this.#end !== undefined) return;
    try {
      this.#complete(this.#codec.end(this.#parser.rest()));
    } catch (error) {
      this.fail(error);
    }
  }

  /** The connection broke, or the watchdog ended the attempt. */
  fail(error: unknown): void {
    clearTimeout(this.#drain);
    this.#finish(attemptFailure(error));
  }

  #hold(text: string): void {
    this.#early += text;
    if (this.#early.length > this.#limits.maxAnswerBytes) throw new AttemptFailure('invalid', 'no_choices');
  }

  #released(text: string): string {
    const early = this.#early;
    this.#early = '';
    return early + text;
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
      this.#watchdog.arm('idle', this.#limits.idle);
    }
  }

  /** The client left, or a time limit was reached. */
  #giveUp(failure: AttemptFailure): void {
    if (this.#end !== undefined || this.#isReadOn) return;
    if (failure.kind === 'client_gone' && this.#codec.complete) this.#readOn();
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
    this.#send(this.#released(text));
    this.#commit();
    // Nobody will read more: the end of the answer must be read, or its connection is lost.
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
    // The client has everything it wanted.
    const failure = this.#isReadOn ? null : reason;
    const { tokens, model, said } = this.#codec;
    this.#end = { tokens, answer: said.all, model, failure };
    this.#watchdog.stop();
    // The model was asked and has answered: the call is this upstream's, and is paid.
    if (failure?.kind === 'refused') this.#commit();
    if (failure !== null) this.#answer.abort(failure);
    else if (this.#isReadOn && !this.#codec.done) this.#answer.abort(new Error('its client has left'));
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
