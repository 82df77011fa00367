/** Parses the text of `/-/metrics` to samples. */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
/** Sticky: each label begins where the previous one ended. */
const LABEL = /,?([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/gy;

export function parseMetrics(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = Array.from(labels.matchAll(LABEL), ([, key, shown]): [string, string] => [key!, shown!]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

/** The value of a metric without labels. */
export function gauge(samples: readonly Sample[], name: string): number | undefined {
  return samples.find((sample) => sample.name === name)?.value;
}

/** The sum of a metric's samples that match the labels. */
export function sum(
  samples: readonly Sample[],
  name: string,
  holds: (labels: Sample['labels']) => boolean = () => true,
): number {
  return samples.reduce(
    (total, sample) => (sample.name === name && holds(sample.labels) ? total + sample.value : total),
    0,
  );
}
