/** Reports on upstreams for the operator: a log line when one comes or goes, and metrics. Never a key. */
import type { Logger, Metrics } from 'plugboard/sdk';
import type { Breaker } from './breaker.js';
import type { KeyRing } from './keys.js';

/** Why an upstream failed a call. */
export interface Reason {
  /** One word, e.g. `http_503`. */
  readonly code: string;
  /** What the connection threw. */
  readonly cause?: unknown;
  /** Milliseconds, when the upstream said how long to wait. */
  readonly retryAfter: number | undefined;
}

/** Events of an upstream. */
interface Reported {
  readonly name: string;
  readonly breaker: Breaker;
  readonly keys: KeyRing;
}

export class UpstreamReport {
  readonly #log: Logger;
  readonly #failures;
  readonly #open;

  constructor(log: Logger, metrics: Metrics) {
    this.#log = log;
    this.#failures = metrics.counter(
      'router_upstream_failures_total',
      'Attempts that count against an upstream, also those that another target stood in for',
      ['upstream', 'code'],
    );
    this.#open = metrics.gauge(
      'router_circuit_open',
      '1 while an upstream that cannot be reached gets no calls',
      ['upstream'],
    );
  }

  begins({ name }: Reported): void {
    this.#open.set(0, { upstream: name });
  }

  failed({ name }: Reported, { code }: Reason): void {
    this.#failures.add(1, { upstream: name, code });
  }

  /** A circuit has opened: of a model with one key, or of the upstream's connections (`model` null). */
  gone(upstream: Reported, model: string | null, breaker: Breaker, { code, cause }: Reason): void {
    const { name } = upstream;
    this.#open.set(openCircuits(upstream), { upstream: name });
    const reason = cause instanceof Error ? { reason: cause.message } : {};
    const until = new Date(breaker.opensAt ?? 0).toISOString();
    const of = model === null ? {} : { model: shown(model), ...(!breaker.isForAll && { for: 'one caller' }) };
    this.#log.warn(
      { upstream: name, ...of, failures: breaker.failures, last: code, ...reason, until },
      model === null
        ? 'an upstream cannot be reached: it gets no calls for a while'
        : 'a model failed too often: it gets no calls for a while',
    );
  }

  /** A circuit has closed. */
  back(upstream: Reported, model: string | null): void {
    const { name } = upstream;
    this.#open.set(openCircuits(upstream), { upstream: name });
    const of = model === null ? {} : { model: shown(model) };
    this.#log.info({ upstream: name, ...of }, 'an upstream answers again');
  }

  /** `key`: its place in the config, from 1. `model` null: the key rests for all models. */
  keyRests({ name }: Reported, key: number, model: string | null, until: number, { code }: Reason): void {
    // A limit passes by itself; a rejected key needs a person.
    const level = model === null ? 'warn' : 'info';
    const of = model === null ? {} : { model: shown(model) };
    this.#log[level](
      { upstream: name, key, ...of, reason: code, until: new Date(until).toISOString() },
      'an upstream turned an API key away: it rests for a while',
    );
  }
}

/** Callers choose the name. */
function shown(model: string): string {
  return model.slice(0, 100);
}

function openCircuits({ breaker, keys }: Reported): number {
  const models = keys.all.flatMap((key) => [...key.models.entries().values()]);
  return [breaker, ...models.map((health) => health.breaker)].filter(({ opensAt }) => opensAt !== null)
    .length;
}
