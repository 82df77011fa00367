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
  const byRoute = new Map<string, Route & { readonly seconds: number }>();
  for (const { name, labels, value } of samples) {
    if (name !== `${DURATION}_count` && name !== `${DURATION}_sum`) continue;
    const { method = '', route = '', plugin = '', status = '' } = labels;
    const key = `${method} ${route}`;
    const before = byRoute.get(key) ?? { method, route, plugin, requests: 0, errors: 0, mean: 0, seconds: 0 };
    const counts = name.endsWith('_count');
    const requests = before.requests + (counts ? value : 0);
    const errors = before.errors + (counts && status.startsWith('5') ? value : 0);
    const seconds = before.seconds + (counts ? 0 : value);
    const mean = requests === 0 ? 0 : (seconds / requests) * 1000;
    byRoute.set(key, { ...before, requests, errors, seconds, mean });
  }
  return [...byRoute.values()].toSorted((one, other) => other.requests - one.requests);
}
