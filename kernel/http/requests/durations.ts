/** How long each request takes, by its route. */
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { MetricsRegistry } from '../../metrics/registry.js';
import type { RouteDurations } from '../../metrics/request-durations.js';

const DURATIONS = Symbol('plugboard.durations');
type Measured = { [DURATIONS]?: RouteDurations };

export class Durations {
  readonly #metrics: MetricsRegistry;
  /** Unknown paths share one series: a scanner must not fill the registry. */
  readonly #unknown: RouteDurations;

  constructor(metrics: MetricsRegistry) {
    this.#metrics = metrics;
    this.#unknown = metrics.requests.route('kernel', '(unknown)');
  }

  /** For the `onRoute` hook. */
  measure(route: RouteOptions, plugin: string): void {
    // A copy: several routes may share one config object.
    const durations = { [DURATIONS]: this.#metrics.requests.route(plugin, route.url) };
    route.config = Object.assign({}, route.config, durations);
  }

  /** `arrival` is a time of `performance.now()`. */
  observe({ method, routeOptions }: FastifyRequest, { statusCode }: FastifyReply, arrival: number): void {
    const durations = (routeOptions.config as Measured)[DURATIONS] ?? this.#unknown;
    durations.observe(method, statusCode, (performance.now() - arrival) / 1000);
  }
}
