/**
 * A circuit breaker (Nygard, Release It!): after some failures in a row an upstream gets no calls for a while,
 * then one call that finds out whether it is back.
 */
export type BreakerState = 'closed' | 'open' | 'half-open';

export interface BreakerPolicy {
  /** Failures in a row that open the circuit. */
  readonly failures: number;
  /** Milliseconds until a probe is let through; doubled each time the probe fails. */
  readonly reset: number;
}

const LONGEST_RESET = 8;

export class Breaker {
  readonly #policy: BreakerPolicy;
  #failures = 0;
  #openUntil: number | undefined;
  #resets = 1;
  #probing = false;

  constructor(policy: BreakerPolicy) {
    this.#policy = policy;
  }

  /** Whether a call may go out at `now`. A call that may must end in `succeeded`, `failed` or `released`. */
  tryPass(now: number): boolean {
    if (this.#openUntil === undefined) return true;
    if (now < this.#openUntil || this.#probing) return false;
    this.#probing = true;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openUntil = undefined;
    this.#resets = 1;
    this.#probing = false;
  }

  failed(now: number): void {
    this.#failures += 1;
    const wasOpen = this.#openUntil !== undefined;
    // A call that set out before the circuit opened says nothing new.
    if (wasOpen && !this.#probing) return;
    if (wasOpen) this.#resets = Math.min(this.#resets * 2, LONGEST_RESET);
    if (wasOpen || this.#failures >= this.#policy.failures) {
      this.#openUntil = now + this.#policy.reset * this.#resets;
    }
    this.#probing = false;
  }

  /** The call ended without telling anything of the upstream, e.g. because the client went away. */
  released(): void {
    this.#probing = false;
  }

  state(now: number): BreakerState {
    if (this.#openUntil === undefined) return 'closed';
    return now < this.#openUntil ? 'open' : 'half-open';
  }

  /** Failures in a row so far. */
  get failures(): number {
    return this.#failures;
  }

  /** When a call is let through again, in milliseconds since the epoch; null while the circuit is closed. */
  get opensAt(): number | null {
    return this.#openUntil ?? null;
  }
}
