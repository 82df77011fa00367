/** Usage as the server adds it up. */
export interface Sums {
  readonly calls: number;
  readonly errors: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly estimatedIn: number;
  readonly estimatedOut: number;
  /** US dollars. */
  readonly cost: number;
  /** Calls of which no price is known. */
  readonly unpriced: number;
}
export type NamedSums = Sums & { readonly name: string };
export interface Summary {
  readonly data: readonly NamedSums[];
  readonly total: Sums;
}

export type Measure = 'calls' | 'tokens' | 'cost';

const NOTHING: Sums = {
  calls: 0,
  errors: 0,
  tokensIn: 0,
  tokensOut: 0,
  estimatedIn: 0,
  estimatedOut: 0,
  cost: 0,
  unpriced: 0,
};
const DAY = 86_400_000;

/** Every day until today, also those without a call: a chart without them shows a gap as if it were none. */
export function everyDay(data: readonly NamedSums[], from: string, now = Date.now()): readonly NamedSums[] {
  const known = new Map(data.map((sums) => [sums.name, sums]));
  const first = Date.parse(from);
  return Array.from({ length: Math.floor((now - first) / DAY) + 1 }, (_day, at) => {
    const name = new Date(first + at * DAY).toISOString().slice(0, 10);
    return known.get(name) ?? { name, ...NOTHING };
  });
}

/** Counted by the upstream, or by the server in its place. */
export function tokensRead({ tokensIn, estimatedIn }: Sums): number {
  return tokensIn + estimatedIn;
}

export function tokensWritten({ tokensOut, estimatedOut }: Sums): number {
  return tokensOut + estimatedOut;
}

export function mostOf(data: readonly NamedSums[], measure: Measure): readonly NamedSums[] {
  const size = (sums: Sums): number =>
    measure === 'tokens' ? tokensRead(sums) + tokensWritten(sums) : sums[measure];
  return data.toSorted((one, other) => size(other) - size(one));
}
