/**
 * A circuit breaker (Nygard, Release It!): after some failures in a row an upstream gets no calls for a while,
 * then one call that finds out whether it is back.
 */
export type BreakerState = 'closed' | 'open' | 'half-open';

export interface BreakerPolicy {
  /** Failures in a row that open the circuit. */
  readonly failures: number;
  /** Milliseconds until a probe is let through; doubled each time the circuit opens again. */
  readonly reset: number;
}

/** What a call goes out with and comes back with: it tells the probe from the calls of before. */
export type Passage = symbol;

const CALL: Passage = Symbol('call');
const LONGEST_RESET = 8;

export class Breaker {
  readonly #policy: BreakerPolicy;
  #failures = 0;
  #openUntil: number | undefined;
  /** Of the policy's time, for the next opening. */
  #resets = 1;
  /** The one call that finds out whether the upstream is back. */
  #probe: Passage | undefined;

  constructor(policy: BreakerPolicy) {
    this.#policy = policy;
  }

  /** Undefined: no call may go out at `now`. A passage must end in `succeeded`, `failed` or `released`. */
  tryPass(now: number): Passage | undefined {
    if (this.#openUntil === undefined) return CALL;
    if (now < this.#openUntil || this.#probe !== undefined) return undefined;
    this.#probe = Symbol('probe');
    return this.#probe;
  }

  /**
   * An answer has begun: calls may go out. It may still break off, so failures count on: an upstream whose
   * streams all break off would else never have two failures in a row. Says whether this closed the circuit.
   */
  answered(): boolean {
    const wasOpen = this.#openUntil !== undefined;
    this.#openUntil = undefined;
    this.#probe = undefined;
    return wasOpen;
  }

  /** An answer has come to its end. Says whether this closed the circuit. */
  succeeded(): boolean {
    this.#failures = 0;
    this.#resets = 1;
    return this.answered();
  }

  /** Says whether this opened the circuit. */
  failed(passage: Passage, now: number): boolean {
    this.#failures += 1;
    const isProbe = passage === this.#probe;
    // A call that set out before the circuit opened says nothing new.
    if (this.#openUntil !== undefined && !isProbe) return false;
    if (!isProbe && this.#failures < this.#policy.failures) return false;
    this.#probe = undefined;
    this.#openUntil = now + this.#policy.reset * this.#resets;
    this.#resets = Math.min(this.#resets * 2, LONGEST_RESET);
    return true;
  }

  /** The call ended without telling anything of the upstream, e.g. because the client went away. */
  released(passage: Passage): void {
    if (passage === this.#probe) this.#probe = undefined;
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
