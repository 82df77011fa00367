/** A counter that finds its series by the labels' values. */
import type { Registry } from 'prom-client';
import type { Labels } from '../sdk/metrics.js';
import { SeriesByLabels } from './series.js';

interface Count {
  readonly labels: Labels;
  value: number;
}

export class Counter {
  readonly #name: string;
  readonly #counts: SeriesByLabels<Count>;

  constructor(registry: Registry, name: string, help: string, labelNames: readonly string[]) {
    this.#name = name;
    this.#counts = new SeriesByLabels(name, labelNames, (labels) => ({ labels, value: 0 }));
    const get = (): Promise<object> =>
      Promise.resolve({ name, help, type: 'counter', aggregator: 'sum', values: [...this.#counts.all()] });
    registry.registerMetric({ name, get } as never);
  }

  /** Throws for a label that the counter does not have, and for what would not count up. */
  add(value: number, plugin: string, labels: Labels | undefined): void {
    if (!(value >= 0 && value < Infinity))
      throw new Error(`metric "${this.#name}" cannot count up by ${value}`);
    this.#counts.of(plugin, labels).value += value;
  }
}
