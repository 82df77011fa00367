/**
 * A circuit breaker (Nygard, Release It!): after some failures in a row it lets no calls through for a while, then one
 * probe.
 *
 * Failures of one caller open it for that caller alone: what one caller sends may make an upstream fail, and must
 * not take it from the others. When calls of others fail too, it is open for everybody.
 */
export type BreakerState = 'closed' | 'open' | 'half-open';

export interface BreakerPolicy {
  /** Failures in a row that open the circuit. */
  readonly failures: number;
  /** Milliseconds until a probe is let through; doubled each time the circuit opens again. */
  readonly reset: number;
}

/** Carried by a call from its start to its result: tells the probe from earlier calls. */
export type Passage = symbol;

export interface Attempted {
  /** Undefined: the failure cannot be this caller's doing. */
  readonly caller?: string;
  /** No target is left: while the circuit is half-open the call may run next to the probe. */
  readonly lastResort?: boolean;
}

const CALL: Passage = Symbol('call');
const LONGEST_RESET = 8;
/** Milliseconds after which a second probe may start while one is pending. */
const PROBE_EVERY = 1_000;
/** Failures of others that open the circuit for all. */
const OTHERS = 2;

export class Breaker {
  readonly #policy: BreakerPolicy;
  #failures = 0;
  /** The caller of the first failure in a row; null if any call would have failed. */
  #culprit: string | null | undefined;
  #failuresOfOthers = 0;
  #openUntil: number | undefined;
  /** Of the policy's time, for the next opening. */
  #resets = 1;
  readonly #probes = new Set<Passage>();
  #probedAt = -Infinity;

  constructor(policy: BreakerPolicy) {
    this.#policy = policy;
  }

  /** Undefined: no call may go out at `now`. A passage must end in `succeeded`, `failed` or `released`. */
  tryPass(now: number, { caller, lastResort = false }: Attempted = {}): Passage | undefined {
    if (this.#openUntil === undefined || !this.#isOpenFor(caller)) return CALL;
    if (now < this.#openUntil) return undefined;
    if (this.#probes.size > 0 && now - this.#probedAt < PROBE_EVERY && !lastResort) return undefined;
    const probe: Passage = Symbol('probe');
    this.#probes.add(probe);
    this.#probedAt = now;
    return probe;
  }

  /**
   * An answer has begun: calls may go out. It may still break off, so failures count on: an upstream whose
   * streams all break off would else never have two failures in a row. Says whether this closed the circuit.
   */
  answered(): boolean {
    const wasOpen = this.#openUntil !== undefined;
    this.#openUntil = undefined;
    this.#probes.clear();
    return wasOpen;
  }

  /** An answer has come to its end. Says whether this closed the circuit. */
  succeeded(): boolean {
    this.#failures = 0;
    this.#culprit = undefined;
    this.#failuresOfOthers = 0;
    this.#resets = 1;
    return this.answered();
  }

  /** Says whether this opened the circuit. */
  failed(passage: Passage, now: number, caller?: string): boolean {
    this.#failures += 1;
    if (caller === undefined) this.#culprit = null;
    else if (this.#culprit === undefined) this.#culprit = caller;
    else if (this.#culprit !== caller) this.#failuresOfOthers += 1;
    const isProbe = this.#probes.delete(passage);
    // A call that set out before the circuit opened says nothing new.
    if (this.#openUntil !== undefined && !isProbe) return false;
    if (!isProbe && this.#failures < this.#policy.failures) return false;
    this.#probes.clear();
    this.#openUntil = now + this.#policy.reset * this.#resets;
    this.#resets = Math.min(this.#resets * 2, LONGEST_RESET);
    return true;
  }

  /** The call ended without a verdict on the upstream, e.g. because the client left. */
  released(passage: Passage): void {
    this.#probes.delete(passage);
  }

  state(now: number): BreakerState {
    if (this.#openUntil === undefined) return 'closed';
    return now < this.#openUntil ? 'open' : 'half-open';
  }

  /** Open for all, and not for the one caller whose calls failed. */
  get isForAll(): boolean {
    return this.#culprit === null || this.#failuresOfOthers >= Math.min(OTHERS, this.#policy.failures);
  }

  /** Failures in a row so far. */
  get failures(): number {
    return this.#failures;
  }

  /** When a call is let through again, in milliseconds since the epoch; null while the circuit is closed. */
  get opensAt(): number | null {
    return this.#openUntil ?? null;
  }

  #isOpenFor(caller: string | undefined): boolean {
    return caller === undefined || this.#culprit === caller || this.isForAll;
  }
}
