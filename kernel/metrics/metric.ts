/** A metric: its series, each found by the values of its labels, and their text in Prometheus's format 0.0.4. */
import type { Labels } from '../sdk/services/metrics.js';

/** The values of a metric for one set of labels. */
export interface Series {
  /** The suffix of the metric's name, further labels, and the value. */
  samples(): Iterable<readonly [suffix: string, labels: Labels, value: number]>;
}

export interface MetricSettings<S> {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** Besides `plugin`, which every metric of a plugin has. */
  readonly labelNames: readonly string[];
  readonly make: () => S;
}

/** The series with some values of the first labels, by the value of the next one. */
interface Branch<S> {
  readonly next: Map<string, Branch<S>>;
  series: S | undefined;
}

export class Metric<S extends Series> {
  readonly settings: MetricSettings<S>;
  /** One map per label: joining the values and hashing the result took 1 % of a call of the router. */
  readonly #root: Branch<S> = { next: new Map(), series: undefined };
  readonly #all: (readonly [Labels, S])[] = [];

  constructor(settings: MetricSettings<S>) {
    this.settings = settings;
  }

  /** Throws for a label that the metric does not have. */
  of(plugin: string, labels: Labels | undefined): S {
    let branch = step(this.#root, plugin);
    if (labels !== undefined)
      for (const name of this.settings.labelNames) branch = step(branch, labels[name] ?? '');
    return (branch.series ??= this.#add({ plugin, ...labels }));
  }

  /** Line by line. */
  *text(): Generator<string, void> {
    yield headText(this.settings);
    for (const [own, series] of this.#all)
      for (const [suffix, further, value] of series.samples())
        yield `${this.settings.name}${suffix}${labelText({ ...own, ...further })} ${value}\n`;
  }

  #add(labels: Labels): S {
    const { name, labelNames, make } = this.settings;
    const unknown = Object.keys(labels).find((label) => label !== 'plugin' && !labelNames.includes(label));
    if (unknown !== undefined) throw new Error(`metric "${name}" has no label "${unknown}"`);
    const series = make();
    this.#all.push([labels, series]);
    return series;
  }
}

function step<S>({ next }: Branch<S>, value: string): Branch<S> {
  let branch = next.get(value);
  if (branch === undefined) next.set(value, (branch = { next: new Map(), series: undefined }));
  return branch;
}

export function headText({ name, help, type }: Omit<MetricSettings<unknown>, 'labelNames' | 'make'>): string {
  return `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(String(value)).replaceAll('"', '\\"')}"`,
  );
  return `{${pairs.join(',')}}`;
}

/** Prometheus reads NaN and infinities as JavaScript writes them. */
function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
