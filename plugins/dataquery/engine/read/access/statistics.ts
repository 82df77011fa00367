/** What deciding needs to know about rows, and how it asks. */
import type { Catalog } from '../../catalog/model.js';
import type { Level } from '../../plan/level.js';
import type { StoredRow } from '../../values/stored.js';
import { filterFor } from '../pushdown.js';
import { allOf, type RowFilter } from '../row-filter.js';
import { asksRelated } from './asked.js';
import { isServed } from './index-use.js';

/** Up to this many rows are few. */
export const FEW = 1_000;

/** Samples that one request reads; further levels count as having many rows. */
const MOST_SAMPLES = 20;

/**
 * The rows that pass a level's own conditions, as far as storage decides them, if they are few; otherwise undefined.
 */
export type Sample = readonly StoredRow[] | undefined;

/** By the conditions of a level. */
export type Samples = ReadonlyMap<Level['conditions'], Sample>;

/** A sample to read: up to `FEW` rows by an index, and whether there are more. */
export interface Wanted {
  readonly level: Level;
  readonly filter: RowFilter;
  readonly members: ReadonlySet<string>;
}

/** The samples read so far, and those still wanted. A level without a sample counts as having many rows. */
export class Statistics {
  readonly catalog: Catalog;
  readonly #samples: Samples;
  readonly #wanted = new Map<Level['conditions'], Wanted & { readonly members: Set<string> }>();

  constructor(catalog: Catalog, samples: Samples) {
    this.catalog = catalog;
    this.#samples = samples;
  }

  get wanted(): readonly Wanted[] {
    return [...this.#wanted.values()];
  }

  /** The level's few rows, with these members and their ids. */
  few(level: Level, members: readonly string[] = []): Sample {
    const { source, conditions } = level;
    if (this.#samples.has(conditions)) return this.#samples.get(conditions);
    if (source.rows !== undefined) return undefined;
    const filters = conditions
      .filter((condition) => !asksRelated(condition))
      .map((condition) => filterFor(condition))
      .filter((filter) => filter !== undefined);
    const filter = allOf(filters);
    if (filters.length === 0 || !isServed(this.catalog, source.stored, filter)) return undefined;
    const isNew = !this.#wanted.has(conditions);
    if (isNew && this.#samples.size + this.#wanted.size >= MOST_SAMPLES) return undefined;
    const wanted = this.#wanted.get(conditions) ?? { level, filter, members: new Set(['_id']) };
    for (const member of members) wanted.members.add(member);
    this.#wanted.set(conditions, wanted);
    return undefined;
  }

  /** The same, if it has been read. */
  known({ conditions }: Level): Sample {
    return this.#samples.get(conditions);
  }

  /** Only these samples. */
  settled(): Statistics {
    return new Statistics(this.catalog, this.#samples);
  }
}

/** Whether a required condition leaves so few related rows that their keys are the better start. */
export function hasFewRelated(statistics: Statistics, { conditions }: Level): boolean {
  let few = false;
  for (const condition of conditions) {
    if (condition.kind !== 'related') continue;
    const { level, join } = condition.embed;
    const members = join.kind === 'call' ? [] : join.child;
    few ||= level.source.rows !== undefined || statistics.few(level, members) !== undefined;
    few ||= hasFewRelated(statistics, level);
  }
  return few;
}
