/** Results as Markdown tables, with the machine they were made on. */
import { cpus, totalmem } from 'node:os';

/** By the name of the column, unit included. */
export type Figures = Readonly<Record<string, number>>;

export function machine(): string {
  const [cpu] = cpus();
  return `${cpus().length} x ${cpu?.model ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GiB, node ${process.version}`;
}

/** Prints each row when it is known; a row with other figures begins another table. */
export class Report {
  #columns: readonly string[] = [];

  /** The medians of a side's rounds, each with its ratio to the base in the same round. */
  row(what: string, side: string, rounds: readonly Figures[], base?: readonly Figures[]): void {
    const columns = Object.keys(rounds[0] ?? {});
    if (columns.join() !== this.#columns.join()) {
      if (this.#columns.length > 0) console.log();
      console.log(`| ${['', 'side', ...columns].join(' | ')} |`);
      console.log(`|${' --- |'.repeat(columns.length + 2)}`);
      this.#columns = columns;
    }
    const cells = columns.map((column) => {
      const value = rounded(median(rounds.map((figures) => figures[column] ?? NaN)));
      if (base === undefined || base === rounds) return value;
      const ratios = rounds.map(
        (figures, round) => (figures[column] ?? NaN) / (base[round]?.[column] ?? NaN),
      );
      return `${value} (${median(ratios).toFixed(2)})`;
    });
    console.log(`| ${[what, side, ...cells].join(' | ')} |`);
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = NaN, high = NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
}

/** `part` is 0 to 1. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? NaN;
}

function rounded(value: number): string {
  return Number.isNaN(value) ? '-' : value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
}
