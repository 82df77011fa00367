/** Which side of a join has few rows, by its indexes and its filters: that is the side to start from. */
import type { Level } from '../plan/level.js';
import type { StoredRow } from '../values/stored.js';
import { asksRelated } from './asked.js';
import type { ReadContext } from './context.js';
import { isServed } from './index-use.js';
import { filterFor } from './pushdown.js';
import { allOf } from './row-filter.js';

const FEW = 1_000;

/**
 * The rows that pass those of the level's own conditions that storage decides, as ids alone; undefined where they may be
 * many: when no index serves the conditions, or more than a thousand pass. Looked for once in a read.
 */
export function fewRows(context: ReadContext, level: Level): Promise<readonly StoredRow[] | undefined> {
  const known = context.few?.get(level);
  if (known !== undefined) return known;
  const found = lookForFew(context, level);
  context.few?.set(level, found);
  return found;
}

async function lookForFew(
  context: ReadContext,
  { source, conditions }: Level,
): Promise<readonly StoredRow[] | undefined> {
  if (source.rows !== undefined) return undefined;
  const filters = conditions
    .filter((condition) => !asksRelated(condition))
    .map((condition) => filterFor(condition))
    .filter((filter) => filter !== undefined);
  const filter = allOf(filters);
  if (filters.length === 0 || !isServed(context.cache.catalog, source.stored, filter)) return undefined;
  const some = await context
    .collection(source.stored)
    .find(filter, { limit: FEW + 1, projection: { _id: 1 }, shared: true })
    .toArray();
  return some.length > FEW ? undefined : some;
}

/** Whether a condition that must hold leaves so few related rows that their keys are the better start. */
export async function hasFewRelated(context: ReadContext, { conditions }: Level): Promise<boolean> {
  for (const condition of conditions) {
    if (condition.kind !== 'related') continue;
    const { level } = condition.embed;
    if (level.source.rows !== undefined || (await fewRows(context, level)) !== undefined) return true;
    if (await hasFewRelated(context, level)) return true;
  }
  return false;
}
