/** How an upstream stands, for `GET /api/upstreams` and `/-/ready`. */
import type { Upstream } from './upstream.js';

export interface UpstreamStatus {
  readonly name: string;
  readonly baseUrl: string;
  readonly circuit: 'closed' | 'open' | 'half-open';
  readonly failuresInARow: number;
  /** When a call is let through again; null while the circuit is closed. */
  readonly retryAt: string | null;
  /** In the order of the config; the keys themselves are never shown. */
  readonly keys: readonly { readonly restsUntil: string | null }[];
  readonly inFlight: number;
  readonly calls: number;
  readonly failures: number;
  /** Milliseconds until an answer begins, weighted towards the latest; null before the first one. */
  readonly latency: number | null;
}

export function statusOf({ name, baseUrl, breaker, keys, load }: Upstream, now: number): UpstreamStatus {
  return {
    name,
    baseUrl,
    circuit: breaker.state(now),
    failuresInARow: breaker.failures,
    retryAt: dateTime(breaker.opensAt),
    keys: keys.all.map(({ restsUntil }) => ({ restsUntil: restsUntil > now ? dateTime(restsUntil) : null })),
    inFlight: load.inFlight,
    calls: load.calls,
    failures: load.failures,
    latency: load.latency === null ? null : Math.round(load.latency),
  };
}

/** One word for `/-/ready`. */
export function readiness({ breaker, keys }: Upstream, now: number): string {
  if (keys.readyAt === null) return 'no_api_key';
  if (breaker.state(now) !== 'closed') return `circuit_${breaker.state(now).replace('-', '_')}`;
  return keys.readyAt > now ? 'cooling_down' : 'ok';
}

function dateTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
