/**
 * A large JSON answer on its way from an upstream to a client: passed on piece by piece, read no faster than the
 * client takes it, and never parsed, which would hold all other calls up.
 */
import { Readable } from 'node:stream';
import type { UpstreamAnswer } from '../upstream/answer.js';
import type { BodyReader } from '../upstream/body-reader.js';
import type { AnswerEdges } from './answer-edges.js';
import { attemptFailure, type Limits } from './exchange.js';
import { AttemptFailure } from './failure.js';
import type { TokenUsage } from '../usage/tokens.js';
import type { Watchdog } from './watchdog.js';

/** How the answer ended: the client has most of it by then. */
export interface PassedEnd {
  readonly tokens: TokenUsage;
  readonly bytes: number;
  /** The model that the upstream says it served. */
  readonly model: string | null;
  /** Null when the client was sent all of it. */
  readonly failure: AttemptFailure | null;
}

export class PassedAnswer extends Readable implements BodyReader {
  readonly #answer: UpstreamAnswer;
  readonly #watchdog: Watchdog;
  readonly #limits: Limits;
  readonly #edges: AnswerEdges;
  #bytes = 0;
  #paused = false;
  #end: PassedEnd | undefined;
  #ended: ((end: PassedEnd) => void) | undefined;

  /** `begun`: what has come of the body. The rest is to be handed to `piece`, `end` and `fail`. */
  constructor(
    answer: UpstreamAnswer,
    watchdog: Watchdog,
    limits: Limits,
    { begun, edges }: { readonly begun: Buffer; readonly edges: AnswerEdges },
  ) {
    super();
    this.#answer = answer;
    this.#watchdog = watchdog;
    this.#limits = limits;
    this.#edges = edges;
    watchdog.lift();
    // It may end before it is sent, while the hooks of the answer run: until then the error has no other listener.
    this.on('error', () => {});
    this.piece(begun);
  }

  /** `ended` is called once, however the answer ends. */
  follow(ended: (end: PassedEnd) => void): void {
    this.#ended = ended;
    if (this.#end !== undefined) ended(this.#end);
  }

  /** The client takes more. */
  override _read(): void {
    if (!this.#paused || this.#end !== undefined) return;
    this.#paused = false;
    this.#watchdog.arm('idle', this.#limits.idle);
    this.#answer.resume();
  }

  /** The end is out, or the client has left. */
  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    if (this.#end === undefined) this.#answer.abort(new AttemptFailure('client_gone', 'client_gone'));
    callback(error);
  }

  /** From the upstream. */
  piece(bytes: Buffer): void {
    if (this.#end !== undefined) return;
    this.#bytes += bytes.length;
    if (this.#bytes > this.#limits.maxAnswerBytes) {
      const failure = new AttemptFailure('invalid', 'answer_too_large');
      // An answer that has ended cannot be aborted.
      this.#finish(failure);
      this.#answer.abort(failure);
      return;
    }
    this.#edges.see(bytes);
    const isFull = !this.push(bytes);
    if (!isFull) {
      this.#watchdog.arm('idle', this.#limits.idle);
    } else if (!this.#paused) {
      this.#paused = true;
      this.#watchdog.disarm();
      this.#answer.pause();
    }
  }

  end(): void {
    this.#finish(this.#edges.isClosed ? null : new AttemptFailure('failed', 'answer_broken_off'));
  }

  fail(error: unknown): void {
    this.#finish(attemptFailure(error));
  }

  #finish(failure: AttemptFailure | null): void {
    if (this.#end !== undefined) return;
    const { tokens, model } = this.#edges;
    this.#end = { tokens, bytes: this.#bytes, model, failure };
    this.#watchdog.stop();
    // The status is sent: a connection that breaks off is all that can tell the client.
    if (failure === null) this.push(null);
    else this.destroy(failure);
    this.#ended?.(this.#end);
  }
}
