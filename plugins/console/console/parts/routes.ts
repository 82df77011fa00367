/** Requests by route, out of the duration of all. */
import { DURATION } from './rates.js';
import type { Sample } from './prometheus.js';

export interface Route {
  readonly method: string;
  readonly route: string;
  readonly plugin: string;
  readonly requests: number;
  /** Answered 5xx. */
  readonly errors: number;
  /** Mean milliseconds to answer. */
  readonly mean: number;
}

/** The busiest first. */
export function routes(samples: readonly Sample[]): Route[] {
  const byRoute = new Map<string, Total>();
  for (const { name, labels, value } of samples) {
    if (name !== `${DURATION}_count` && name !== `${DURATION}_sum`) continue;
    const { method = '', route = '', plugin = '', status = '' } = labels;
    const key = `${method} ${route}`;
    const total = byRoute.get(key) ?? { method, route, plugin, requests: 0, errors: 0, seconds: 0 };
    byRoute.set(key, total);
    if (name.endsWith('_sum')) total.seconds += value;
    else {
      total.requests += value;
      if (status.startsWith('5')) total.errors += value;
    }
  }
  return [...byRoute.values()]
    .map(({ seconds, ...total }) => ({
      ...total,
      mean: total.requests === 0 ? 0 : (seconds / total.requests) * 1000,
    }))
    .toSorted((one, other) => other.requests - one.requests);
}

interface Total {
  method: string;
  route: string;
  plugin: string;
  requests: number;
  errors: number;
  seconds: number;
}
