/** A call from its model's name to its answer: resolve, fail over, and exactly one usage record. */
import { ownerOf, principalId, type Clock, type Observers, type ServiceError } from 'plugboard/sdk';
import { LONGEST_MODEL, type Catalog } from '../catalog.js';
import type { Mode } from '../upstream/load.js';
import type { CallContext, ModelRequest } from './model-request.js';
import { callError, type AttemptFailure } from './failure.js';
import { CallFailure, failover, type Attempt, type CallLimits, type Served } from './failover.js';
import { LimitTimer } from './limit-timer.js';
import type { Meter } from './meter.js';
import { followed } from './observed.js';
import type { ServedCall } from './served-call.js';
import { NO_TOKENS } from '../usage/tokens.js';

export class Caller {
  readonly #catalog: Catalog;
  readonly #meter: Meter;
  readonly #limits: CallLimits;
  readonly #clock: Clock;
  readonly #observers: Observers;

  constructor(
    catalog: Catalog,
    meter: Meter,
    limits: Omit<CallLimits, 'timer'>,
    { clock, observers }: { clock: Clock; observers: Observers },
  ) {
    this.#catalog = catalog;
    this.#meter = meter;
    this.#limits = { ...limits, timer: new LimitTimer() };
    this.#clock = clock;
    this.#observers = observers;
  }

  /** Throws the `ServiceError` for the client when no target serves the call. */
  place<T>(
    call: ModelRequest,
    context: CallContext,
    attempt: (attempt: Attempt) => Promise<T>,
  ): Promise<ServedCall<T>> {
    const { caller, purpose } = context;
    const observed = this.#observers.call({
      principal: principalId(caller),
      tenant: ownerOf(caller),
      purpose,
      model: call.model.slice(0, LONGEST_MODEL),
      stream: call.stream,
    });
    const place = (): Promise<ServedCall<T>> => this.#place(call, context, attempt);
    return observed === undefined ? place() : followed(observed, call.stream, place);
  }

  /** For a cached answer. Throws if there is no such model, or the caller may not use it. */
  replay(call: ModelRequest, context: CallContext): void {
    const mode: Mode = call.stream ? 'stream' : 'whole';
    const resolution = this.#catalog.resolve(call.model, { now: performance.now(), mode });
    this.#meter.replayed(call, context, resolution);
  }

  async #place<T>(
    call: ModelRequest,
    context: CallContext,
    attempt: (attempt: Attempt) => Promise<T>,
  ): Promise<ServedCall<T>> {
    const began = performance.now();
    const mode: Mode = call.stream ? 'stream' : 'whole';
    const resolution = this.#catalog.resolve(call.model, { now: began, mode });
    const begun = this.#meter.begin(call, context, resolution);
    // Without allowances nothing is awaited: each promise step is measurable in a call.
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
      // The request was read even if the client left before the answer began.
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
      dialect: upstream.kind.wire,
      describe,
      end({ tokens, answer, sound, servedModel, failure, isWhole = failure === null }) {
        served.settle(failure);
        const error = failure === null ? null : describe(failure);
        return meter.ended({
          target,
          isRead: true,
          tokens,
          answer,
          ...(sound && { sound }),
          isCut: !isWhole,
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
