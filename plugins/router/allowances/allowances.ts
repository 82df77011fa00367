/** Whether a caller may make a call, by every rule that applies: reserved before the call, settled after it. */
import { OpenStreams, type Clock, type Principal } from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { PricedTokens } from '../money/cost.js';
import type { PricedUpstream, Prices } from '../money/prices.js';
import { tokensTaken, type UsageRecord } from '../usage/record.js';
import type { Bound, Leases } from './leases.js';
import { NANO, windowOf, type Limit, type Rule, type Unit } from './rules.js';

/** A call, as known before it is made. */
export interface PlannedCall {
  /** As the client named it. */
  readonly model: string;
  readonly stream: boolean;
  readonly targets: readonly { readonly upstream: PricedUpstream; readonly model: string }[];
  /** Of its body. */
  readonly characters: () => number;
  /** The most tokens that it wants back; undefined if it does not say. */
  readonly maxTokens: number | undefined;
  /** Of sound in the body, at most. */
  readonly seconds?: number | undefined;
}

export interface Reservation {
  /** The answer has ended; its tokens may still be counted. */
  ended(): void;
  /** Once, when the call has ended. */
  settle(call: UsageRecord): void;
  /** Instead, if there is no record of the call. */
  release(): void;
}

/** A limit as it holds for one caller now. */
export interface Standing extends Bound {
  readonly rule: string;
  readonly limitOf: Limit;
  /** Whose use is counted. */
  readonly subject: string;
}

interface Held {
  readonly standing: Standing;
  readonly units: number;
}

export interface ReserveCaps {
  /** Tokens. */
  readonly input: number;
  readonly output: number;
}

/** Characters of a token, at least. */
const CHARACTERS = 3;
const NOTHING: Reservation = { ended() {}, settle() {}, release() {} };

export class Allowances {
  rules: readonly Rule[];
  readonly #leases: Leases<Standing>;
  readonly #prices: Prices;
  readonly #caps: ReserveCaps;
  readonly #clock: Clock;
  readonly #streams = new OpenStreams();
  /** Of all callers together. */
  readonly #maxStreams: number;

  constructor(
    rules: readonly Rule[],
    parts: {
      readonly leases: Leases<Standing>;
      readonly prices: Prices;
      readonly caps: ReserveCaps;
      readonly clock: Clock;
      readonly maxStreams: number | undefined;
    },
  ) {
    this.rules = rules;
    this.#leases = parts.leases;
    this.#prices = parts.prices;
    this.#caps = parts.caps;
    this.#clock = parts.clock;
    this.#maxStreams = parts.maxStreams ?? Infinity;
  }

  get isEmpty(): boolean {
    return this.rules.length === 0 && this.#maxStreams === Infinity;
  }

  /** The limits of a caller now; with `model`, those that a call of it counts in. */
  standings(caller: Principal, model?: string): Standing[] {
    const now = this.#clock.now();
    return this.rules.flatMap((rule) => {
      const subject = rule.subjectOf(caller);
      if (subject === undefined) return [];
      return rule.limits
        .filter(({ models }) => model === undefined || models(model))
        .map((limitOf): Standing => {
          const { began, ends } = windowOf(limitOf.per, now);
          const { name, unit, most } = limitOf;
          const id = `${rule.name} ${name} ${unit} ${subject} ${new Date(began).toISOString()}`;
          return { id, limit: most, ends, rule: rule.name, limitOf, subject };
        });
    });
  }

  /** Throws `model_not_allowed`. */
  allow(caller: Principal, model: string): void {
    for (const { allowed, name, subjectOf } of this.rules)
      if (allowed?.(model) === false && subjectOf(caller) !== undefined)
        throw errors.model_not_allowed({ values: { model, rule: name }, param: 'model' });
  }

  /**
   * Throws `model_not_allowed`, `model_not_priced`, `too_many_streams`, `insufficient_quota` or `allowance_exceeded`.
   */
  async reserve(caller: Principal, call: PlannedCall): Promise<Reservation> {
    this.allow(caller, call.model);
    const leave = call.stream ? this.#enterStream(caller) : NOTHING.ended;
    const held: Held[] = [];
    try {
      for (const standing of this.standings(caller, call.model)) {
        const units = this.#worst(call, standing.limitOf.unit);
        const reserved = this.#leases.reserve(standing, units);
        if (!(typeof reserved === 'boolean' ? reserved : await reserved)) throw this.#refusal(standing);
        held.push({ standing, units });
      }
    } catch (error) {
      leave();
      this.#give(held, () => 0);
      throw error;
    }
    if (held.length === 0 && leave === NOTHING.ended) return NOTHING;
    return {
      ended: leave,
      settle: (record) => this.#give(held, (unit) => usedOf(record, unit)),
      release: () => {
        leave();
        this.#give(held, () => 0);
      },
    };
  }

  /** Counts an open stream; returns the function that uncounts it, once. */
  #enterStream(caller: Principal): () => void {
    const bounds = [];
    if (this.#maxStreams !== Infinity)
      bounds.push({ name: 'all', most: this.#maxStreams, rule: 'plugins.router.maxStreams' });
    for (const { name: rule, streams, subjectOf } of this.rules) {
      const subject = streams === undefined ? undefined : subjectOf(caller);
      if (streams !== undefined && subject !== undefined)
        bounds.push({ name: `${rule} ${subject}`, most: streams, rule });
    }
    if (bounds.length === 0) return NOTHING.ended;
    const entered = this.#streams.enter(bounds);
    if (typeof entered === 'function') return entered;
    const { rule, most } = entered;
    throw errors.too_many_streams({ values: { rule, most }, headers: { 'retry-after': '1' } });
  }

  #give(held: readonly Held[], used: (unit: Unit) => number): void {
    for (const { standing, units } of held) {
      const { unit } = standing.limitOf;
      this.#leases.settle(standing, units, used(unit));
    }
  }

  /** An upper estimate of what a call may use; capped, as some clients ask for the maximum. */
  #worst(call: PlannedCall, unit: Unit): number {
    if (unit === 'requests') return 1;
    const input = Math.min(this.#caps.input, Math.ceil(call.characters() / CHARACTERS));
    const output = Math.min(this.#caps.output, call.maxTokens ?? Infinity);
    if (unit === 'tokens') return input + output;
    const sound = { tokens: call.seconds === undefined ? 0 : input, seconds: call.seconds ?? 0 };
    const tokens: PricedTokens = { input, output, cached: 0, cacheWritten: 0, sound };
    const costs = call.targets.map(({ upstream, model }) => {
      const price = this.#prices.of(upstream, model);
      if (price !== undefined) return price.cost(tokens);
      throw errors.model_not_priced({ values: { model: `${upstream.name}/${model}` }, param: 'model' });
    });
    return Math.ceil(Math.max(0, ...costs) * NANO);
  }

  #refusal({ rule, ends, limitOf: { unit, per, most } }: Standing): Error {
    const wait = String(Math.max(1, Math.ceil((ends - this.#clock.now()) / 1_000)));
    if (unit === 'usd')
      return errors.insufficient_quota({
        values: { rule, usd: most / NANO, per, resets: new Date(ends).toISOString() },
        // Their clients would ask again at once.
        headers: { 'retry-after': wait, 'x-should-retry': 'false' },
      });
    return errors.allowance_exceeded({
      values: { rule, most, unit, per, seconds: wait },
      headers: { 'retry-after': wait },
    });
  }
}

function usedOf(record: UsageRecord, unit: Unit): number {
  if (unit === 'requests') return 1;
  return unit === 'tokens' ? tokensTaken(record) : Math.ceil((record.cost ?? 0) * NANO);
}
