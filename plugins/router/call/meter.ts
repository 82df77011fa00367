/** What a call used and cost: reserved before it, estimated if the upstream does not report it, recorded once. */
import { principalId, type CallUse, type Clock } from 'plugboard/sdk';
import type { Allowances, Reservation } from '../allowances/allowances.js';
import { LONGEST_MODEL, type Resolution, type Target } from '../catalog.js';
import type { Answered, Estimate, Estimator } from '../estimate/estimator.js';
import type { Sound } from '../money/cost.js';
import type { Prices } from '../money/prices.js';
import type { UsageRecord } from '../usage/record.js';
import { FREE, type TokenUsage } from '../usage/tokens.js';
import type { CallContext, ModelRequest } from './model-request.js';

export interface MeterParts {
  readonly prices: Prices;
  readonly allowances: Allowances;
  readonly estimator: Estimator;
  readonly clock: Clock;
  /** Called once for each call that has a target; later if its tokens must be estimated. */
  readonly record: (record: UsageRecord, context: CallContext) => void;
}

/** How a call ended. */
export interface Ended {
  /** The one that was called last; null when none was. */
  readonly target: Target | null;
  /** That one read the request. */
  readonly isRead: boolean;
  readonly tokens: TokenUsage;
  /** As far as it came; null for answers without tokens. */
  readonly answer: Answered | null;
  readonly sound?: Sound;
  /** The answer has no end. */
  readonly isCut: boolean;
  readonly servedModel: string | null;
  readonly status: number;
  readonly errorCode: string | null;
  readonly attempts: number;
  readonly firstToken: number | null;
}

const KNOWN: Estimate = { request: null, answer: null };

export class Meter {
  readonly #parts: MeterParts;

  constructor(parts: MeterParts) {
    this.#parts = parts;
  }

  /** Throws what the caller is refused with, when an allowance is used up. */
  begin(call: ModelRequest, context: CallContext, resolution: Resolution): CallMeter | Promise<CallMeter> {
    const { allowances } = this.#parts;
    const of = (reservation: Reservation | undefined): CallMeter =>
      new CallMeter(this.#parts, { call, context, resolution, reservation });
    if (allowances.isEmpty) return of(undefined);
    const { model, stream, maxTokens, characters, seconds } = call;
    const { targets } = resolution;
    const planned = { model, stream, maxTokens, characters, seconds, targets };
    return allowances.reserve(context.caller, planned).then(of);
  }

  /** For a cached answer: nothing is reserved or paid. Throws `model_not_allowed`. */
  replayed(call: ModelRequest, context: CallContext, resolution: Resolution): void {
    this.#parts.allowances.allow(context.caller, call.model);
    const meter = new CallMeter(this.#parts, { call, context, resolution, reservation: undefined });
    meter.ended(REPLAYED);
  }
}

/** Of a call whose answer was given before. */
const REPLAYED: Ended = {
  target: null,
  isRead: false,
  tokens: FREE,
  answer: null,
  isCut: false,
  servedModel: null,
  status: 200,
  errorCode: null,
  attempts: 0,
  firstToken: null,
};

interface Metered {
  readonly call: ModelRequest;
  readonly context: CallContext;
  readonly resolution: Resolution;
  readonly reservation: Reservation | undefined;
}

export class CallMeter {
  readonly #parts: MeterParts;
  readonly #metered: Metered;
  readonly #at: Date;
  readonly #began = performance.now();

  constructor(parts: MeterParts, metered: Metered) {
    this.#parts = parts;
    this.#metered = metered;
    this.#at = new Date(parts.clock.now());
  }

  /** Returns the cost in US dollars; null if it is not known, or not yet. */
  ended(end: Ended): number | null {
    const { target, isRead, tokens, answer, isCut } = end;
    const latency = Math.round(performance.now() - this.#began);
    this.#metered.reservation?.ended();
    const isInUnknown = isRead && tokens.tokensIn === null;
    // What an upstream counted before its answer was cut off is not all of it.
    const isOutUnknown = answer !== null && (tokens.tokensOut === null || isCut);
    if (!isInUnknown && !isOutUnknown) return this.#record(end, latency, KNOWN);
    const request = isInUnknown && target !== null ? this.#metered.call.body(target) : null;
    void this.#parts.estimator
      .estimate({ request, answer: isOutUnknown ? answer : null })
      .then((estimate) => this.#record(end, latency, estimate));
    return null;
  }

  /** In place of `ended`, for a call that failed in the server itself. */
  release(): void {
    this.#metered.reservation?.release();
  }

  #record(end: Ended, latency: number, estimate: Estimate): number | null {
    const { call, context, resolution, reservation } = this.#metered;
    const { tokens } = end;
    const isEstimated = estimate.answer !== null;
    const tokensOut = isEstimated ? null : tokens.tokensOut;
    const estimatedOut = estimate.answer === null ? null : Math.max(estimate.answer, tokens.tokensOut ?? 0);
    const { cost, pricedAs } = this.#costOf(end, estimate.request, estimatedOut);
    // Member by member: spread out of three objects it took 6 us a call.
    const record: UsageRecord = {
      at: this.#at,
      key: principalId(context.caller),
      purpose: context.purpose,
      model: call.model,
      route: resolution.route,
      upstream: end.target?.upstream.name ?? null,
      servedModel: end.servedModel?.slice(0, LONGEST_MODEL) ?? null,
      stream: call.stream,
      status: end.status,
      errorCode: end.errorCode,
      attempts: end.attempts,
      latency,
      firstToken: end.firstToken,
      tokensIn: tokens.tokensIn,
      tokensOut,
      tokensCached: tokens.tokensCached,
      tokensCacheWritten: tokens.tokensCacheWritten,
      tokensReasoning: tokens.tokensReasoning,
      estimatedIn: estimate.request,
      estimatedOut,
      cost,
      pricedAs,
      person: context.person ?? null,
      tags: context.tags ?? null,
      cached: end === REPLAYED,
    };
    reservation?.settle(record);
    this.#parts.record(record, context);
    context.metered?.(useOf(record));
    return cost;
  }

  #costOf(
    { target, tokens, sound, servedModel }: Ended,
    estimatedIn: number | null,
    estimatedOut: number | null,
  ): Pick<UsageRecord, 'cost' | 'pricedAs'> {
    const input = tokens.tokensIn ?? estimatedIn ?? 0;
    const output = estimatedOut ?? tokens.tokensOut ?? 0;
    if (target === null || input + output + (sound?.seconds ?? 0) === 0) return { cost: 0, pricedAs: null };
    const price = this.#parts.prices.of(target.upstream, target.model, servedModel);
    if (price === undefined) return { cost: null, pricedAs: null };
    const cached = tokens.tokensCached ?? 0;
    const cacheWritten = tokens.tokensCacheWritten ?? 0;
    return {
      cost: price.cost({ input, output, cached, cacheWritten, ...(sound && { sound }) }),
      pricedAs: price.id,
    };
  }
}

function useOf({ upstream, tokensIn, tokensOut, estimatedIn, estimatedOut, cost }: UsageRecord): CallUse {
  return {
    upstream,
    tokensIn: tokensIn ?? estimatedIn ?? 0,
    tokensOut: tokensOut ?? estimatedOut ?? 0,
    estimated: estimatedIn !== null || estimatedOut !== null,
    cost,
  };
}
