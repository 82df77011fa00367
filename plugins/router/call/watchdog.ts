/**
 * The time limits of one attempt, and the caller's going away: whatever comes first aborts the signal, with an
 * `AttemptFailure` as its reason.
 */
import { AttemptFailure, TOTAL_TIMEOUT } from './failure.js';

export type Phase = 'headers' | 'first_token' | 'idle';

export class Watchdog {
  readonly #controller = new AbortController();
  readonly #client: AbortSignal | undefined;
  readonly #total: NodeJS.Timeout;
  #timer: NodeJS.Timeout | undefined;
  #phase: Phase | undefined;
  #armed = false;
  readonly #clientGone = (): void => this.#abort(new AttemptFailure('client_gone', 'client_gone'));

  /** `total`: milliseconds that the call has left. */
  constructor(total: number, client: AbortSignal | undefined) {
    this.#client = client;
    this.#total = setTimeout(() => this.#abort(timeout(TOTAL_TIMEOUT)), Math.max(0, total));
    if (client?.aborted === true) this.#clientGone();
    else client?.addEventListener('abort', this.#clientGone, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the clock of a phase; a stream does so before each read, so the timer is kept and set back. */
  arm(phase: Phase, milliseconds: number): void {
    this.#armed = true;
    if (this.#phase === phase && this.#timer !== undefined) {
      this.#timer.refresh();
      return;
    }
    clearTimeout(this.#timer);
    this.#phase = phase;
    this.#timer = setTimeout(() => {
      if (this.#armed) this.#abort(timeout(`${phase}_timeout`));
    }, milliseconds);
  }

  /** The upstream delivered: until the next `arm` it is not the one that is waited for. */
  disarm(): void {
    this.#armed = false;
  }

  /** Ends the watch. Must be called, or timers and listeners stay. */
  stop(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#timer);
    this.#client?.removeEventListener('abort', this.#clientGone);
  }

  #abort(reason: AttemptFailure): void {
    this.#controller.abort(reason);
  }
}

function timeout(code: string): AttemptFailure {
  return new AttemptFailure('timeout', code);
}
