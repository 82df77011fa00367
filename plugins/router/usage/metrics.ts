/** The calls as metrics: how many, how long, and what they took. */
import type { Metrics } from 'plugboard/sdk';
import type { UsageRecord } from './record.js';

/** Seconds. */
const DURATIONS = [0.1, 0.3, 1, 3, 10, 30, 100, 300];
const FIRST_TOKENS = [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

export class CallMetrics {
  readonly #durations;
  readonly #firstTokens;
  readonly #tokens;

  constructor(metrics: Metrics) {
    this.#durations = metrics.histogram('router_call_seconds', 'Calls until their answer ended', {
      labels: ['route', 'upstream', 'code'],
      buckets: DURATIONS,
    });
    this.#firstTokens = metrics.histogram('router_first_token_seconds', 'Streams until their first event', {
      labels: ['route', 'upstream'],
      buckets: FIRST_TOKENS,
    });
    this.#tokens = metrics.counter(
      'router_tokens_total',
      'Tokens, estimated where upstreams do not count them',
      ['route', 'upstream', 'kind'],
    );
  }

  /** The model is not a label: where an upstream takes any name, clients could create unlimited labels. */
  observe(call: UsageRecord): void {
    const route = call.route ?? 'none';
    const upstream = call.upstream ?? 'none';
    this.#durations.observe(call.latency / 1_000, { route, upstream, code: call.errorCode ?? 'ok' });
    if (call.firstToken !== null) this.#firstTokens.observe(call.firstToken / 1_000, { route, upstream });
    for (const [kind, tokens] of [
      ['in', call.tokensIn],
      ['out', call.tokensOut],
      ['cached', call.tokensCached],
      ['estimated_in', call.estimatedIn],
      ['estimated_out', call.estimatedOut],
    ] as const)
      if (tokens !== null) this.#tokens.add(tokens, { route, upstream, kind });
  }
}
