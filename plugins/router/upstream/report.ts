/** What the operator hears of the upstreams: a line in the log when one comes or goes, and metrics. Never a key. */
import type { Logger, Metrics } from 'plugboard/sdk';
import type { Upstream } from './upstream.js';

/** Why an upstream failed a call. */
export interface Reason {
  /** One word, e.g. `http_503`. */
  readonly code: string;
  /** What the connection threw. */
  readonly cause?: unknown;
  /** Milliseconds, when the upstream said how long to wait. */
  readonly retryAfter: number | undefined;
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
    this.#open = metrics.gauge('router_circuit_open', '1 while an upstream gets no calls', ['upstream']);
  }

  begins({ name }: Upstream): void {
    this.#open.set(0, { upstream: name });
  }

  failed({ name }: Upstream, { code }: Reason): void {
    this.#failures.add(1, { upstream: name, code });
  }

  /** Its circuit has opened. */
  gone({ name, breaker: { failures, opensAt } }: Upstream, { code, cause }: Reason): void {
    this.#open.set(1, { upstream: name });
    const reason = cause instanceof Error ? { reason: cause.message } : {};
    const until = new Date(opensAt ?? 0).toISOString();
    this.#log.warn(
      { upstream: name, failures, last: code, ...reason, until },
      'an upstream failed too often: it gets no calls for a while',
    );
  }

  /** Its circuit has closed. */
  back({ name }: Upstream): void {
    this.#open.set(0, { upstream: name });
    this.#log.info({ upstream: name }, 'an upstream answers again');
  }

  /** `key`: its place in the config, from 1. */
  keyRests({ name }: Upstream, key: number, restsUntil: number, { code }: Reason): void {
    // What is at its limit comes back by itself; a key that is not accepted needs a person.
    const level = code === 'http_401' || code === 'http_402' ? 'warn' : 'info';
    this.#log[level](
      { upstream: name, key, reason: code, until: new Date(restsUntil).toISOString() },
      'an upstream turned an API key away: it rests for a while',
    );
  }
}
