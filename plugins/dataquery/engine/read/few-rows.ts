/** Which side of a join has few rows, by its indexes and its filters: that is the side to start from. */
import type { Condition, Level, Source } from '../plan/level.js';
import type { StoredRow } from '../values/stored.js';
import { asksRelated } from './asked.js';
import type { ReadContext } from './context.js';
import { isServed } from './index-use.js';
import { filterFor } from './pushdown.js';
import { allOf, type RowFilter } from './row-filter.js';

const FEW = 1_000;
/** By so many keys rows are read before they are grouped: a group of few rows takes storage longer than the rows. */
const FEW_KEYS = 100;

/**
 * The rows that pass those of the level's own conditions that storage decides, with these members and their ids; undefined
 * where they may be many: when no index serves the conditions, or more than a thousand pass. Looked for once in a read.
 */
export function fewRows(
  context: ReadContext,
  level: Level,
  members: readonly string[] = [],
): Promise<readonly StoredRow[] | undefined> {
  const known = context.few?.get(level);
  if (known !== undefined) return known;
  const found = lookForFew(context, level, members);
  context.few?.set(level, found);
  return found;
}

async function lookForFew(
  context: ReadContext,
  { source, conditions }: Level,
  members: readonly string[],
): Promise<readonly StoredRow[] | undefined> {
  if (source.rows !== undefined) return undefined;
  const filters = conditions
    .filter((condition) => !asksRelated(condition))
    .map((condition) => filterFor(condition))
    .filter((filter) => filter !== undefined);
  if (filters.length === 0) return undefined;
  return servedRows(context, source, allOf(filters), ['_id', ...members]);
}

/** The rows of few keys, with these members; undefined where no condition is one of few keys, or the rows may be many. */
export async function rowsOfFewKeys(
  context: ReadContext,
  { source, conditions }: { readonly source: Source; readonly conditions: readonly Condition[] },
  filter: RowFilter,
  members: readonly string[],
): Promise<readonly StoredRow[] | undefined> {
  const numbers = conditions.flatMap((one) => (one.kind === 'keys' ? [one.keys.tuples.length] : []));
  const least = Math.min(...numbers, Infinity);
  if (least === 0) return [];
  return least <= FEW_KEYS ? servedRows(context, source, filter, members) : undefined;
}

async function servedRows(
  context: ReadContext,
  { stored }: Source,
  filter: RowFilter,
  members: readonly string[],
): Promise<readonly StoredRow[] | undefined> {
  if (!isServed(context.cache.catalog, stored, filter)) return undefined;
  const withoutId = members.includes('_id') ? {} : { _id: 0 as const };
  const projection = { ...Object.fromEntries(members.map((member) => [member, 1 as const])), ...withoutId };
  const some = await context
    .collection(stored)
    .find(filter, { limit: FEW + 1, projection, shared: true })
    .toArray();
  return some.length > FEW ? undefined : some;
}

/** Whether a condition that must hold leaves so few related rows that their keys are the better start. */
export async function hasFewRelated(context: ReadContext, { conditions }: Level): Promise<boolean> {
  for (const condition of conditions) {
    if (condition.kind !== 'related') continue;
    const { level, join } = condition.embed;
    const members = join.kind === 'call' ? [] : join.child;
    if (level.source.rows !== undefined || (await fewRows(context, level, members)) !== undefined)
      return true;
    if (await hasFewRelated(context, level)) return true;
  }
  return false;
}
