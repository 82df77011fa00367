/**
 * The health of one model with one key of an upstream: vendors limit by key and model, and a model may fail while the
 * upstream's others work. Only models in trouble are kept, so the map stays small whatever names callers send.
 */
import { Breaker, type Attempted, type BreakerPolicy, type Passage } from './breaker.js';

export interface CooldownPolicy {
  /** Milliseconds of the first rest; doubled each time in a row. */
  readonly base: number;
  readonly max: number;
}

/** A time without calls after a rejection. */
export class Rest {
  readonly #policy: CooldownPolicy;
  until = 0;
  rejections = 0;

  constructor(policy: CooldownPolicy) {
    this.#policy = policy;
  }

  /**
   * `retryAfter` in milliseconds, when the upstream said how long. Says whether the rest begins: many calls that
   * were out together and are all turned away are one rejection.
   */
  begin(now: number, retryAfter: number | undefined): boolean {
    const { base, max } = this.#policy;
    const begins = this.until <= now;
    if (!begins && retryAfter === undefined) return false;
    const rest = retryAfter ?? base * 2 ** Math.min(this.rejections, 20);
    if (begins) this.rejections += 1;
    this.until = Math.max(this.until, now + Math.min(rest, max));
    return begins;
  }
}

export class ModelHealth {
  readonly breaker: Breaker;
  readonly rest: Rest;
  /** What the last failure was, e.g. `http_503`. */
  lastFailure: string | undefined;

  constructor(breaker: BreakerPolicy, cooldown: CooldownPolicy) {
    this.breaker = new Breaker(breaker);
    this.rest = new Rest(cooldown);
  }
}

/** Models in trouble that are remembered for one key. */
const REMEMBERED = 1_000;
const NO_TROUBLE: Passage = Symbol('no trouble');

export class ModelHealths {
  readonly #policies: { readonly breaker: BreakerPolicy; readonly cooldown: CooldownPolicy };
  readonly #troubled = new Map<string, ModelHealth>();

  constructor(policies: { readonly breaker: BreakerPolicy; readonly cooldown: CooldownPolicy }) {
    this.#policies = policies;
  }

  /** Undefined: no call of this model may go out. */
  tryPass(model: string, now: number, attempted: Attempted): Passage | undefined {
    const health = this.#troubled.get(model);
    if (health === undefined) return NO_TROUBLE;
    return health.rest.until > now ? undefined : health.breaker.tryPass(now, attempted);
  }

  get(model: string): ModelHealth | undefined {
    return this.#troubled.get(model);
  }

  /** The models in trouble. */
  entries(): ReadonlyMap<string, ModelHealth> {
    return this.#troubled;
  }

  /** Says whether this closed the circuit. */
  answered(model: string): boolean {
    const health = this.#troubled.get(model);
    if (health === undefined) return false;
    health.rest.rejections = 0;
    return health.breaker.answered();
  }

  /** It answered to the end, if only to turn a call away. Says whether this closed the circuit. */
  succeeded(model: string, now: number): boolean {
    const health = this.#troubled.get(model);
    if (health === undefined) return false;
    const closed = health.breaker.succeeded();
    if (health.rest.until <= now && health.rest.rejections === 0) this.#troubled.delete(model);
    return closed;
  }

  /** Says whether this opened the circuit. */
  failed(
    model: string,
    passage: Passage,
    now: number,
    { code, caller }: { code: string; caller: string },
  ): boolean {
    const health = this.#of(model);
    health.lastFailure = code;
    return health.breaker.failed(passage, now, caller);
  }

  /** Says whether the model begins to rest. */
  turnedAway(model: string, now: number, retryAfter: number | undefined): boolean {
    return this.#of(model).rest.begin(now, retryAfter);
  }

  released(model: string, passage: Passage): void {
    this.#troubled.get(model)?.breaker.released(passage);
  }

  #of(model: string): ModelHealth {
    const known = this.#troubled.get(model);
    if (known !== undefined) return known;
    const [oldest] = this.#troubled.keys();
    if (this.#troubled.size >= REMEMBERED && oldest !== undefined) this.#troubled.delete(oldest);
    const health = new ModelHealth(this.#policies.breaker, this.#policies.cooldown);
    this.#troubled.set(model, health);
    return health;
  }
}
