/** Ends an attempt at its first exceeded time limit, or when the client leaves. */
import { AttemptFailure, TOTAL_TIMEOUT } from './failure.js';
import { LimitTimer } from './limit-timer.js';

export type Phase = 'headers' | 'first_token' | 'idle';

export class Watchdog {
  /** Why the attempt was ended. */
  failure: AttemptFailure | undefined;
  /** When the whole call must be over, like all times here on the clock of `performance.now()`. */
  #deadline: number;
  readonly #gone: AbortSignal | undefined;
  #abort: ((failure: AttemptFailure) => void) | undefined;
  #phase: Phase = 'headers';
  #phaseEnds = Infinity;
  readonly #timer: LimitTimer;

  /** `total`: milliseconds that the call has left. `gone` is aborted when the client leaves. */
  constructor(total: number, gone: AbortSignal | undefined, timer = new LimitTimer()) {
    this.#deadline = performance.now() + total;
    this.#timer = timer;
    this.#gone = gone;
    if (gone?.aborted === true) this.#clientGone();
    else gone?.addEventListener('abort', this.#clientGone, { once: true });
  }

  /** `abort` is called once, at once when the attempt has been ended already. */
  guard(abort: (failure: AttemptFailure) => void): void {
    this.#abort = abort;
    if (this.failure !== undefined) abort(this.failure);
  }

  /** Starts or restarts the timeout of a phase. */
  arm(phase: Phase, milliseconds: number): void {
    this.#phase = phase;
    this.#phaseEnds = performance.now() + milliseconds;
    this.#timer.add(this);
  }

  /** The whole call has no limit from here on: a stream that goes on is healthy, however long it takes. */
  lift(): void {
    this.#deadline = Infinity;
  }

  /** The upstream delivered: until the next `arm` it is not the one that is waited for. */
  disarm(): void {
    this.#phaseEnds = Infinity;
  }

  /** Ends the watch. Must be called, or the timer stays. */
  stop(): void {
    this.#timer.remove(this);
    this.#abort = undefined;
    this.#gone?.removeEventListener('abort', this.#clientGone);
  }

  /** Ends the attempt where a limit has passed. */
  check(now: number): void {
    if (now >= this.#deadline) this.#end(new AttemptFailure('timeout', TOTAL_TIMEOUT));
    else if (now >= this.#phaseEnds) this.#end(new AttemptFailure('timeout', `${this.#phase}_timeout`));
  }

  readonly #clientGone = (): void => this.#end(new AttemptFailure('client_gone', 'client_gone'));

  #end(failure: AttemptFailure): void {
    if (this.failure !== undefined) return;
    this.failure = failure;
    this.#timer.remove(this);
    this.#abort?.(failure);
  }
}
