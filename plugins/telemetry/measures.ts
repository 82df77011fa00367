/** Histograms of requests and of model calls, by the names and bounds of the semantic conventions. */
import type { Hooks, Work, WorkEnd } from 'plugboard/sdk';
import { operationOf, providerOf } from './genai.js';
import type { Attributes, Histogram } from './otlp.js';
import { knownMethod } from './spans.js';

/** Seconds. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const CALLS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
/** Powers of four. */
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power);
/** Attribute sets per histogram: an upstream chooses its model names, so they are bounded. */
const MOST_POINTS = 1_000;

class Measure {
  readonly #bounds: readonly number[];
  readonly #points = new Map<string, { attributes: Attributes; counts: number[]; sum: number }>();

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  observe(value: number, attributes: Attributes): void {
    const key = JSON.stringify(attributes);
    let point = this.#points.get(key);
    if (point === undefined) {
      if (this.#points.size >= MOST_POINTS) return;
      point = { attributes, counts: Array<number>(this.#bounds.length + 1).fill(0), sum: 0 };
      this.#points.set(key, point);
    }
    const at = this.#bounds.findIndex((bound) => value <= bound);
    const bucket = at === -1 ? this.#bounds.length : at;
    point.counts[bucket] = (point.counts[bucket] ?? 0) + 1;
    point.sum += value;
  }

  points(): Histogram['points'] {
    return [...this.#points.values()].map((point) => ({ ...point, bounds: this.#bounds }));
  }
}

export class Measures {
  readonly #requests = new Measure(DURATIONS);
  readonly #calls = new Measure(CALLS);
  readonly #tokens = new Measure(TOKENS);

  request({ method, route }: Work['request'], { status, duration }: WorkEnd['request']): void {
    this.#requests.observe(duration / 1000, {
      'http.request.method': knownMethod(method),
      'http.route': route,
      'http.response.status_code': status,
    });
  }

  call({ purpose }: Work['call'], end: WorkEnd['call']): void {
    const about = {
      'gen_ai.operation.name': operationOf(purpose),
      'gen_ai.provider.name': providerOf(end.dialect),
      'gen_ai.response.model': end.servedModel,
    };
    this.#calls.observe(end.duration / 1000, { ...about, 'error.type': end.error });
    for (const [type, tokens] of [
      ['input', end.tokensIn],
      ['output', end.tokensOut],
    ] as const)
      if (tokens !== null) this.#tokens.observe(tokens, { ...about, 'gen_ai.token.type': type });
  }

  histograms(): Histogram[] {
    return [
      { name: 'http.server.request.duration', unit: 's', points: this.#requests.points() },
      { name: 'gen_ai.client.operation.duration', unit: 's', points: this.#calls.points() },
      { name: 'gen_ai.client.token.usage', unit: '{token}', points: this.#tokens.points() },
    ].filter(({ points }) => points.length > 0);
  }
}

/** Both hooks, in this order. */
export function withMeasures(hooks: Hooks, measures: Measures): Hooks {
  return {
    ...hooks,
    request: {
      ...hooks.request,
      end: (end, own, work) => {
        measures.request(work, end);
        return hooks.request?.end?.(end, own, work);
      },
    },
    call: {
      ...hooks.call,
      end: (end, own, work) => {
        measures.call(work, end);
        return hooks.call?.end?.(end, own, work);
      },
    },
  };
}
