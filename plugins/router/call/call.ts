/** A call from its model's name to its answer: resolve, fail over, and one usage record whatever happens. */
import { principalId, type Clock, type Principal, type ServiceError } from 'plugboard/sdk';
import { LONGEST_MODEL, type Catalog, type Target } from '../catalog.js';
import type { Answered, Estimator } from '../estimate/estimator.js';
import type { UsageRecord } from '../usage/record.js';
import type { Mode } from '../upstream/load.js';
import { callError, type AttemptFailure } from './failure.js';
import { CallFailure, failover, type Attempt, type CallLimits, type Served } from './failover.js';
import { LimitTimer } from './limit-timer.js';
import { NO_TOKENS, type TokenUsage } from '../usage/tokens.js';

/** Who calls, what for, and for how long. */
export interface CallContext {
  readonly caller: Principal;
  readonly purpose: string;
  /** Aborted when the caller leaves. */
  readonly gone: AbortSignal | undefined;
  /** Headers for the upstream, names and values in turn. */
  readonly passed?: readonly string[];
}

/** What is asked of a model. */
export interface ModelRequest {
  readonly model: string;
  readonly stream: boolean;
  /** The body that a target is sent, once more: for an estimate of its tokens. */
  body(target: Target): string;
}

export interface CallOutcome {
  readonly tokens: TokenUsage;
  /** As far as it came; null where what is answered has no tokens. */
  readonly answer: Answered | null;
  /** The model that the upstream says it served. */
  readonly servedModel: string | null;
  /** Null when the call ended well. */
  readonly failure: AttemptFailure | null;
}

export interface ServedCall<T> {
  readonly answer: T;
  /** The upstream's name. */
  readonly upstream: string;
  /** The answer has ended: lets the upstream go and records the usage. Must be called once. */
  end(outcome: CallOutcome): void;
  /** How the client hears of a failure after the answer began. */
  describe(failure: AttemptFailure): ServiceError;
}

export class Caller {
  readonly #catalog: Catalog;
  readonly #record: (record: UsageRecord, caller: Principal) => void;
  readonly #limits: CallLimits;
  readonly #clock: Clock;
  readonly #estimator: Estimator;

  /** `record` is called once for each call that has a target; later, where its tokens have to be estimated. */
  constructor(
    catalog: Catalog,
    record: (record: UsageRecord, caller: Principal) => void,
    limits: Omit<CallLimits, 'timer'>,
    clock: Clock,
    estimator: Estimator,
  ) {
    this.#catalog = catalog;
    this.#estimator = estimator;
    this.#record = record;
    this.#limits = { ...limits, timer: new LimitTimer() };
    this.#clock = clock;
  }

  /** Throws the `ServiceError` for the client when no target serves the call. */
  async place<T>(
    call: ModelRequest,
    context: CallContext,
    attempt: (attempt: Attempt) => Promise<T>,
  ): Promise<ServedCall<T>> {
    const began = performance.now();
    const at = new Date(this.#clock.now());
    const caller = principalId(context.caller);
    const mode: Mode = call.stream ? 'stream' : 'whole';
    const resolution = this.#catalog.resolve(call.model, { now: began, mode });
    const record = (end: Ended & RecordedEnd): void =>
      // Member by member: spread out of three objects it took 6 us a call.
      this.#record(
        {
          at,
          key: caller,
          purpose: context.purpose,
          model: call.model,
          route: resolution.route,
          upstream: end.upstream,
          servedModel: end.servedModel?.slice(0, LONGEST_MODEL) ?? null,
          stream: call.stream,
          status: end.status,
          errorCode: end.errorCode,
          attempts: end.attempts,
          latency: end.latency,
          firstToken: end.firstToken,
          tokensIn: end.tokens.tokensIn,
          tokensOut: end.tokens.tokensOut,
          tokensCached: end.tokens.tokensCached,
          tokensCacheWritten: end.tokens.tokensCacheWritten,
          tokensReasoning: end.tokens.tokensReasoning,
          estimatedIn: end.estimatedIn,
          estimatedOut: end.estimatedOut,
        },
        context.caller,
      );
    const ended = (target: Target | null, answer: Answered | null, end: Ended): void => {
      const { tokens, isCut } = end;
      const latency = Math.round(performance.now() - began);
      const isInUnknown = target !== null && tokens.tokensIn === null;
      // What an upstream counted before its answer was cut off is not all of it.
      const isOutUnknown = answer !== null && (tokens.tokensOut === null || isCut);
      if (!isInUnknown && !isOutUnknown) {
        record({ ...end, latency, estimatedIn: null, estimatedOut: null });
        return;
      }
      const request = isInUnknown ? call.body(target) : null;
      void this.#estimator
        .estimate({ request, answer: isOutUnknown ? answer : null })
        .then(({ request: estimatedIn, answer: counted }) => {
          const estimatedOut = counted === null ? null : Math.max(counted, tokens.tokensOut ?? 0);
          const known = counted === null ? tokens : { ...tokens, tokensOut: null };
          record({ ...end, tokens: known, latency, estimatedIn, estimatedOut });
        });
    };
    let served: Served<T>;
    try {
      served = await failover(
        {
          model: call.model,
          mode,
          caller,
          targets: resolution.targets,
          fallbackOn: resolution.fallbackOn,
          gone: context.gone,
        },
        this.#limits,
        attempt,
        this.#clock,
      );
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      // One who leaves before the answer begins has had the request read.
      const target = error.isLeft ? error.target : null;
      ended(target, null, {
        tokens: NO_TOKENS,
        isCut: true,
        upstream: error.target?.upstream.name ?? null,
        servedModel: null,
        status: error.answer.status,
        errorCode: error.answer.code,
        attempts: error.attempts,
        firstToken: null,
      });
      throw error.answer;
    }
    const { upstream, model } = served.target;
    const describe = (failure: AttemptFailure): ServiceError =>
      callError(call.model, [{ upstream: upstream.name, model, failure }]);
    const firstToken = call.stream ? Math.round(performance.now() - began) : null;
    return {
      answer: served.answer,
      upstream: upstream.name,
      describe,
      end({ tokens, answer, servedModel, failure }) {
        served.settle(failure);
        const error = failure === null ? null : describe(failure);
        ended(served.target, answer, {
          tokens,
          isCut: failure !== null,
          upstream: upstream.name,
          servedModel,
          status: error?.status ?? 200,
          errorCode: error?.code ?? null,
          attempts: served.attempts,
          firstToken,
        });
      },
    };
  }
}

interface Ended {
  readonly tokens: TokenUsage;
  /** The answer has no end. */
  readonly isCut: boolean;
  readonly upstream: string | null;
  readonly servedModel: string | null;
  readonly status: number;
  readonly errorCode: string | null;
  readonly attempts: number;
  readonly firstToken: number | null;
}

interface RecordedEnd {
  readonly latency: number;
  readonly estimatedIn: number | null;
  readonly estimatedOut: number | null;
}
