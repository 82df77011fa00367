/** A call from its model's name to its answer: resolve, fail over, and one usage record whatever happens. */
import { principalId, type Clock, type ServiceError } from 'plugboard/sdk';
import type { Catalog } from '../catalog.js';
import type { Answered } from '../estimate/estimator.js';
import type { Mode } from '../upstream/load.js';
import type { CallContext, ModelRequest } from './model-request.js';
import { callError, type AttemptFailure } from './failure.js';
import type { Sound } from '../money/cost.js';
import { CallFailure, failover, type Attempt, type CallLimits, type Served } from './failover.js';
import { LimitTimer } from './limit-timer.js';
import type { Meter } from './meter.js';
import { NO_TOKENS, type TokenUsage } from '../usage/tokens.js';

export interface CallOutcome {
  readonly tokens: TokenUsage;
  /** As far as it came; null where what is answered has no tokens. */
  readonly answer: Answered | null;
  /** Of the input, what was sound. */
  readonly sound?: Sound;
  /** The model that the upstream says it served. */
  readonly servedModel: string | null;
  /** Null when the call ended well. */
  readonly failure: AttemptFailure | null;
}

export interface ServedCall<T> {
  readonly answer: T;
  /** The upstream's name. */
  readonly upstream: string;
  /**
   * The answer has ended: lets the upstream go and records the usage. Must be called once. Answers what the call cost,
   * in US dollars; null where that is not known, or not yet.
   */
  end(outcome: CallOutcome): number | null;
  /** How the client hears of a failure after the answer began. */
  describe(failure: AttemptFailure): ServiceError;
}

export class Caller {
  readonly #catalog: Catalog;
  readonly #meter: Meter;
  readonly #limits: CallLimits;
  readonly #clock: Clock;

  constructor(catalog: Catalog, meter: Meter, limits: Omit<CallLimits, 'timer'>, clock: Clock) {
    this.#catalog = catalog;
    this.#meter = meter;
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
    const mode: Mode = call.stream ? 'stream' : 'whole';
    const resolution = this.#catalog.resolve(call.model, { now: began, mode });
    const begun = this.#meter.begin(call, context, resolution);
    // Without allowances nothing is waited for: each step of a promise is measurable in a call.
    const meter = begun instanceof Promise ? await begun : begun;
    let served: Served<T>;
    try {
      served = await failover(
        {
          model: call.model,
          mode,
          caller: principalId(context.caller),
          targets: resolution.targets,
          fallbackOn: resolution.fallbackOn,
          gone: context.gone,
        },
        this.#limits,
        attempt,
        this.#clock,
      );
    } catch (error) {
      if (!(error instanceof CallFailure)) {
        meter.release();
        throw error;
      }
      const { target, attempts, answer, isLeft } = error;
      // One who leaves before the answer begins has had the request read.
      const isRead = isLeft && target !== null;
      const { status, code: errorCode } = answer;
      meter.ended({ ...NOTHING, target, isRead, status, errorCode, attempts });
      throw answer;
    }
    const { target, attempts } = served;
    const { upstream, model } = target;
    const describe = (failure: AttemptFailure): ServiceError =>
      callError(call.model, [{ upstream: upstream.name, model, failure }]);
    const firstToken = call.stream ? Math.round(performance.now() - began) : null;
    return {
      answer: served.answer,
      upstream: upstream.name,
      describe,
      end({ tokens, answer, sound, servedModel, failure }) {
        served.settle(failure);
        const error = failure === null ? null : describe(failure);
        return meter.ended({
          target,
          isRead: true,
          tokens,
          answer,
          ...(sound && { sound }),
          isCut: failure !== null,
          servedModel,
          status: error?.status ?? 200,
          errorCode: error?.code ?? null,
          attempts,
          firstToken,
        });
      },
    };
  }
}

/** What there is of a call without an answer. */
const NOTHING = { tokens: NO_TOKENS, answer: null, isCut: true, servedModel: null, firstToken: null };
