/** Which side of a join has few rows, by what indexes say of the filters: that is the side to start from. */
import type { Condition } from '../plan/condition.js';
import type { Level, Source } from '../plan/level.js';
import type { StoredRow } from '../values/stored.js';
import type { ReadContext } from './context.js';
import { filterFor } from './pushdown.js';
import { allOf } from './row-filter.js';

const FEW = 1_000;

/**
 * The rows that pass those of the conditions that storage decides, as ids alone; undefined where they may be many: when
 * no index serves the conditions, or more than a thousand pass.
 */
export async function fewRows(
  context: ReadContext,
  { source, conditions }: { readonly source: Source; readonly conditions: readonly Condition[] },
): Promise<readonly StoredRow[] | undefined> {
  if (source.rows !== undefined) return undefined;
  const filters = conditions
    .map((condition) => filterFor(condition))
    .filter((filter) => filter !== undefined);
  if (filters.length === 0) return undefined;
  const rows = context.collection(source.stored);
  const filter = allOf(filters);
  const { access } = await rows.explain(filter);
  if (access === 'scan') return undefined;
  const some = await rows.find(filter, { limit: FEW + 1, projection: { _id: 1 }, shared: true }).toArray();
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
