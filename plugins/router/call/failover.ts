/** Tries the targets of a call one after another until one serves it. */
import type { ServiceError } from 'plugboard/sdk';
import type { Target } from '../catalog.js';
import type { Passage } from '../upstream/breaker.js';
import type { UpstreamKey } from '../upstream/keys.js';
import type { Upstream } from '../upstream/upstream.js';
import type { Client } from './client.js';
import {
  AttemptFailure,
  blamesKey,
  blamesUpstream,
  callError,
  isFinal,
  restsKey,
  type Tried,
} from './failure.js';
import { Watchdog } from './watchdog.js';

export interface CallLimits {
  /** Milliseconds for the call, failover included. */
  readonly total: number;
  readonly maxAttempts: number;
}

export interface Attempt {
  readonly target: Target;
  readonly key: UpstreamKey;
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

  constructor(answer: ServiceError, attempts: number) {
    super(answer.message);
    this.answer = answer;
    this.attempts = attempts;
  }
}

/**
 * `attempt` either answers, and from then on the call is that target's, or throws an `AttemptFailure`, and
 * nothing of it may have reached the client. The watchdog of an attempt that answered is stopped by `settle`.
 */
export async function failover<T>(
  call: {
    readonly model: string;
    readonly targets: readonly Target[];
    readonly client: Client;
  },
  limits: CallLimits,
  attempt: (attempt: Attempt) => Promise<T>,
  now: () => number,
): Promise<Served<T>> {
  const deadline = performance.now() + limits.total;
  const tried: Tried[] = [];
  let attempts = 0;
  const failed = (): CallFailure => new CallFailure(callError(call.model, tried), attempts);

  for (const target of call.targets) {
    const { upstream, model } = target;
    const note = (failure: AttemptFailure): void =>
      void tried.push({ upstream: upstream.name, model, failure });
    // Once each: `Retry-After: 0` lets a key be used at once, but by another call.
    let refused: Set<UpstreamKey> | undefined;
    for (;;) {
      const key = upstream.keys.pick(now(), refused);
      const passage = key && upstream.breaker.tryPass(now());
      if (key === undefined || passage === undefined) {
        // After a try with another key the reason is known already.
        if (refused === undefined) note((key === undefined ? keysRest : circuitOpen)(upstream, now()));
        break;
      }
      if (attempts === limits.maxAttempts) {
        upstream.breaker.released(passage);
        throw failed();
      }
      attempts += 1;
      const watchdog = new Watchdog(deadline - performance.now(), call.client);
      const began = performance.now();
      begin(target);
      try {
        const answer = await attempt({ target, key, watchdog });
        const latency = performance.now() - began;
        answered(target, key, latency);
        return {
          answer,
          target,
          attempts,
          settle: (failure) => settle(target, passage, watchdog, failure, now()),
        };
      } catch (error) {
        if (!(error instanceof AttemptFailure)) {
          leave(target, watchdog);
          upstream.breaker.released(passage);
          throw error;
        }
        settle(target, passage, watchdog, error, now());
        note(error);
        if (isFinal(error)) throw failed();
        if (restsKey(error)) upstream.rest(key, error, now());
        if (!blamesKey(error)) break;
        (refused ??= new Set()).add(key);
      }
    }
  }
  throw failed();
}

/** Why no key of the upstream can be used. */
function keysRest({ keys: { readyAt } }: Upstream, now: number): AttemptFailure {
  if (readyAt === null) return new AttemptFailure('skipped', 'no_api_key');
  return new AttemptFailure('skipped', 'cooling_down', { retryAfter: readyAt - now });
}

function circuitOpen({ breaker: { opensAt } }: Upstream, now: number): AttemptFailure {
  return new AttemptFailure('skipped', 'circuit_open', { retryAfter: Math.max(0, (opensAt ?? now) - now) });
}

function begin({ load, upstream }: Target): void {
  load.begin();
  upstream.load.begin();
}

function answered({ load, upstream }: Target, key: UpstreamKey, latency: number): void {
  load.answered(latency);
  upstream.load.answered(latency);
  upstream.answered(key);
}

function settle(
  target: Target,
  passage: Passage,
  watchdog: Watchdog,
  failure: AttemptFailure | null,
  now: number,
): void {
  leave(target, watchdog);
  const { upstream } = target;
  if (failure?.kind === 'client_gone') {
    upstream.breaker.released(passage);
  } else if (failure !== null && blamesUpstream(failure)) {
    upstream.failed(passage, failure, now);
  } else {
    upstream.succeeded();
  }
}

function leave({ load, upstream }: Target, watchdog: Watchdog): void {
  watchdog.stop();
  load.end();
  upstream.load.end();
}
