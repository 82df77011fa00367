/** Tries the targets of a call one after another until one serves it. */
import type { Clock, ServiceError } from 'plugboard/sdk';
import type { Target } from '../catalog.js';
import type { Unfit } from '../schema.js';
import type { UpstreamKey } from '../upstream/keys.js';
import type { Mode } from '../upstream/load.js';
import type { Entry, Skip } from '../upstream/upstream.js';
import {
  AttemptFailure,
  blamesKey,
  blamesModel,
  callError,
  isFinal,
  isUnreachable,
  restsKey,
  type FailureKind,
  type Tried,
} from './failure.js';
import type { LimitTimer } from './limit-timer.js';
import { Watchdog } from './watchdog.js';

export interface CallLimits {
  /** Milliseconds for the call, failover included. */
  readonly total: number;
  readonly maxAttempts: number;
  readonly timer: LimitTimer;
}

export interface Attempt {
  readonly target: Target;
  readonly key: UpstreamKey;
  readonly fallbackOn: ReadonlySet<Unfit>;
  readonly watchdog: Watchdog;
}

export interface Served<T> {
  readonly answer: T;
  readonly target: Target;
  /** How many upstreams were called, this one included. */
  readonly attempts: number;
  /** The answer is finished, or its stream is; must be called once. Null: it ended well. */
  settle(failure: AttemptFailure | null): void;
}

/** No target served the call: `answer` is for the client. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  readonly answer: ServiceError;
  readonly attempts: number;
  /** The one that was called last; null when none was. */
  readonly target: Target | null;
  /** The client went away while that was at work. */
  readonly isLeft: boolean;

  constructor(answer: ServiceError, attempts: number, target: Target | null, isLeft: boolean) {
    super(answer.message);
    this.answer = answer;
    this.attempts = attempts;
    this.target = target;
    this.isLeft = isLeft;
  }
}

/**
 * `attempt` either answers, and from then on the call is that target's, or throws an `AttemptFailure`, and
 * nothing of it may have reached the client. The watchdog of an attempt that answered is stopped by `settle`.
 */
export async function failover<T>(
  call: CallTargets,
  limits: CallLimits,
  attempt: (attempt: Attempt) => Promise<T>,
  clock: Clock,
): Promise<Served<T>> {
  const deadline = performance.now() + limits.total;
  const tried: Tried[] = [];
  let attempts = 0;
  let called: Target | null = null;
  const failed = (): CallFailure => {
    const isLeft = tried.at(-1)?.failure.kind === 'client_gone';
    return new CallFailure(callError(call.model, tried), attempts, called, isLeft);
  };

  // Twice at most: if every target waits for a pending probe, this call runs next to it.
  for (const lastResort of [false, true]) {
    let isProbing = false;
    for (const target of call.targets) {
      const { upstream, model } = target;
      const note = (failure: AttemptFailure): void =>
        void tried.push({ upstream: upstream.name, model, failure });
      // Once each: `Retry-After: 0` lets a key be used at once, but by another call.
      let refused: Set<UpstreamKey> | undefined;
      for (;;) {
        const entry = upstream.enter(model, clock.now(), { caller: call.caller, lastResort }, refused);
        if ('code' in entry) {
          isProbing ||= entry.code === 'probing';
          // After a try with another key the reason is known already.
          const known = refused === undefined ? undefined : tried.at(-1)?.failure;
          if (known === undefined) note(skipped(entry));
          else if (isFinal(known, call.fallbackOn)) throw failed();
          break;
        }
        if (attempts === limits.maxAttempts) {
          upstream.released(entry);
          throw failed();
        }
        attempts += 1;
        called = target;
        const watchdog = new Watchdog(deadline - performance.now(), call.gone, limits.timer);
        const began = performance.now();
        begin(target, began);
        try {
          const answer = await attempt({
            target,
            key: entry.key,
            fallbackOn: call.fallbackOn,
            watchdog,
          });
          answered(target, entry, call.mode, began);
          return {
            answer,
            target,
            attempts,
            settle: (failure) => settle(target, entry, watchdog, failure, clock.now()),
          };
        } catch (error) {
          if (!(error instanceof AttemptFailure)) {
            leave(target, watchdog);
            upstream.released(entry);
            throw error;
          }
          settle(target, entry, watchdog, error, clock.now());
          note(error);
          if (restsKey(error)) upstream.rest(entry, error, clock.now(), error.kind === 'unauthorized');
          if (blamesKey(error)) {
            (refused ??= new Set()).add(entry.key);
            continue;
          }
          if (isFinal(error, call.fallbackOn)) throw failed();
          break;
        }
      }
    }
    if (attempts > 0 || !isProbing || lastResort) break;
    tried.length = 0;
  }
  throw failed();
}

export interface CallTargets {
  readonly model: string;
  readonly mode: Mode;
  /** Whose call it is. */
  readonly caller: string;
  readonly targets: readonly Target[];
  /** What sends the call to the next target though the request is at fault. */
  readonly fallbackOn: ReadonlySet<Unfit>;
  readonly gone: AbortSignal | undefined;
}

function skipped({ code, retryAfter, lastFailure: last }: Skip): AttemptFailure {
  const kind = code === 'cooling_down' ? 'resting' : 'skipped';
  return new AttemptFailure(kind, code === 'probing' ? 'circuit_open' : code, { retryAfter, last });
}

function begin({ load, upstream }: Target, now: number): void {
  load.begin(now);
  upstream.load.begin(now);
}

function answered({ load, upstream }: Target, entry: Entry, mode: Mode, began: number): void {
  const now = performance.now();
  load.answered(now - began, mode, now);
  upstream.load.answered(now - began, mode, now);
  upstream.answered(entry);
}

function settle(
  target: Target,
  entry: Entry,
  watchdog: Watchdog,
  failure: AttemptFailure | null,
  now: number,
): void {
  leave(target, watchdog);
  const { upstream, load } = target;
  if (failure !== null && isToAvoid(failure)) load.failed(performance.now());
  if (failure !== null && (isUnreachable(failure) || blamesModel(failure)))
    upstream.load.failed(performance.now());
  if (failure?.kind === 'client_gone' || failure?.kind === 'unsayable') upstream.released(entry);
  else if (failure !== null && isUnreachable(failure)) upstream.unreachable(entry, failure, now);
  else if (failure !== null && blamesModel(failure)) upstream.failed(entry, failure, now);
  else upstream.succeeded(entry, now);
}

/** Failures after which a strategy prefers others: all but those that the caller, its body or a guard caused. */
function isToAvoid({ kind }: AttemptFailure): boolean {
  return !OURS.has(kind);
}

const OURS: ReadonlySet<FailureKind> = new Set(['rejected', 'unfit', 'unsayable', 'refused', 'client_gone']);

function leave({ load, upstream }: Target, watchdog: Watchdog): void {
  watchdog.stop();
  load.end();
  upstream.load.end();
}
