/** Secondary limits, in memory: a caller's concurrent requests and points per minute on this instance. */
export interface SecondaryLimits {
  /** Concurrent requests. */
  readonly concurrent: number;
  /** Points per minute. */
  readonly points: number;
}

/** Of one caller. */
export interface Activity {
  inFlight: number;
  points: number;
  /** When the points start over, in milliseconds. */
  reset: number;
}

const MINUTE = 60_000;
const READ = 1;
const WRITE = 5;
/** Beyond it, callers without a request in flight whose minute is over are forgotten. */
const REMEMBERED = 10_000;

export class Secondary {
  readonly #limits: SecondaryLimits;
  readonly #callers = new Map<string, Activity>();
  #cleanAt = REMEMBERED;

  constructor(limits: SecondaryLimits) {
    this.#limits = limits;
  }

  /** Enters a request, which leaves `inFlight` when it ends; or returns the seconds to wait. `now` in milliseconds. */
  enter(caller: string, method: string, now: number): Activity | number {
    const activity = this.#activityOf(caller, now);
    const cost = method === 'GET' || method === 'HEAD' || method === 'OPTIONS' ? READ : WRITE;
    if (activity.inFlight >= this.#limits.concurrent) return 1;
    if (activity.points + cost > this.#limits.points)
      return Math.max(1, Math.ceil((activity.reset - now) / 1000));
    activity.inFlight += 1;
    activity.points += cost;
    return activity;
  }

  #activityOf(caller: string, now: number): Activity {
    const known = this.#callers.get(caller);
    if (known === undefined) {
      if (this.#callers.size >= this.#cleanAt) this.#forgetIdle(now);
      const activity = { inFlight: 0, points: 0, reset: now + MINUTE };
      this.#callers.set(caller, activity);
      return activity;
    }
    if (now >= known.reset) Object.assign(known, { points: 0, reset: now + MINUTE });
    return known;
  }

  #forgetIdle(now: number): void {
    for (const [caller, { inFlight, reset }] of this.#callers)
      if (inFlight === 0 && now >= reset) this.#callers.delete(caller);
    this.#cleanAt = Math.max(REMEMBERED, 2 * this.#callers.size);
  }
}
