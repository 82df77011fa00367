/** The data of charts: gauges as they are, counters as rates. */
import { gauge, sum, type Sample } from './prometheus.js';

/** The data kept of one poll. */
export interface Point {
  readonly at: number;
  readonly requests: number;
  readonly errors: number;
  /** Total seconds of all requests. */
  readonly seconds: number;
  readonly lag: number;
  readonly memory: number;
  readonly heap: number;
}

/** The metric of HTTP requests, by plugin, method, route and status. */
export const DURATION = 'plugboard_http_request_duration_seconds';

export function point(at: number, samples: readonly Sample[]): Point {
  return {
    at,
    requests: sum(samples, `${DURATION}_count`),
    errors: sum(samples, `${DURATION}_count`, ({ status = '' }) => status.startsWith('5')),
    seconds: sum(samples, `${DURATION}_sum`),
    lag: gauge(samples, 'plugboard_event_loop_lag_seconds') ?? 0,
    memory: gauge(samples, 'process_resident_memory_bytes') ?? 0,
    heap: gauge(samples, 'process_heap_used_bytes') ?? 0,
  };
}

/** Per second for counts, milliseconds for times, MiB for memory. A counter that decreased was restarted. */
export function rates(points: readonly Point[]) {
  return points.slice(1).map((now, index) => {
    const before = points[index]!;
    const seconds = Math.max(0.001, (now.at - before.at) / 1000);
    const grown = (key: 'requests' | 'errors' | 'seconds'): number => Math.max(0, now[key] - before[key]);
    const requests = grown('requests');
    return {
      at: now.at,
      requests: rounded(requests / seconds),
      errors: rounded(grown('errors') / seconds),
      duration: requests === 0 ? 0 : rounded((grown('seconds') / requests) * 1000),
      lag: rounded(now.lag * 1000),
      memory: Math.round(now.memory / 1_048_576),
      heap: Math.round(now.heap / 1_048_576),
    };
  });
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
