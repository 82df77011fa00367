/** The status of an upstream, for `GET /api/upstreams` and `/-/ready`. */
import type { BreakerState } from './breaker.js';
import type { Upstream } from './upstream.js';

/** A model that fails, or is at its limit, with one key. */
export interface TroubledModel {
  readonly model: string;
  readonly circuit: BreakerState;
  /** Open for all, or for the one caller whose calls failed. */
  readonly openFor: 'all' | 'one caller' | null;
  readonly failuresInARow: number;
  readonly lastFailure: string | null;
  /** When a call is let through again; null when one is now. */
  readonly retryAt: string | null;
}

export interface UpstreamStatus {
  readonly name: string;
  readonly baseUrl: string;
  /** Of its connections. */
  readonly circuit: BreakerState;
  readonly failuresInARow: number;
  /** When a call is let through again; null while the circuit is closed. */
  readonly retryAt: string | null;
  /** In the order of the config; the keys themselves are never shown. */
  readonly keys: readonly { readonly restsUntil: string | null; readonly models: readonly TroubledModel[] }[];
  readonly inFlight: number;
  readonly calls: number;
  readonly failures: number;
  /** Milliseconds until a whole answer is there, weighted towards the latest; null before the first one. */
  readonly latency: number | null;
  /** The same until the first event of a stream. */
  readonly firstToken: number | null;
}

/** Models that are listed for one key. */
const LISTED = 100;

export function statusOf({ name, baseUrl, breaker, keys, load }: Upstream, now: number): UpstreamStatus {
  return {
    name,
    baseUrl,
    circuit: breaker.state(now),
    failuresInARow: breaker.failures,
    retryAt: dateTime(breaker.opensAt),
    keys: keys.all.map(({ rest, models }) => ({
      restsUntil: rest.until > now ? dateTime(rest.until) : null,
      models: [...models.entries()].slice(0, LISTED).map(([model, health]): TroubledModel => {
        const circuit = health.breaker.state(now);
        const readyAt = Math.max(health.rest.until, health.breaker.opensAt ?? 0);
        return {
          model,
          circuit,
          openFor: circuit === 'closed' ? null : health.breaker.isForAll ? 'all' : 'one caller',
          failuresInARow: health.breaker.failures,
          lastFailure: health.lastFailure ?? null,
          retryAt: readyAt > now ? dateTime(readyAt) : null,
        };
      }),
    })),
    inFlight: load.inFlight,
    calls: load.calls,
    failures: load.failures,
    latency: rounded(load.latency('whole')),
    firstToken: rounded(load.latency('stream')),
  };
}

/** One word for `/-/ready`. */
export function readiness({ breaker, keys }: Upstream, now: number): string {
  if (keys.all.length === 0) return 'no_api_key';
  if (breaker.state(now) !== 'closed') return `circuit_${breaker.state(now).replace('-', '_')}`;
  return keys.any(now) === undefined ? 'cooling_down' : 'ok';
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value);
}

function dateTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
