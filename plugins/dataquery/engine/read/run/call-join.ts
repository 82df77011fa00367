/** Computed relationships whose rows a trusted module makes: one call per parent row. */
import type { Condition, Level, Related } from '../../plan/level.js';
import type { StoredRow } from '../../values/stored.js';
import { rowArgument } from '../computed-columns.js';
import type { ReadContext } from '../context.js';
import { moduleRows } from '../module-rows.js';
import { scanRows } from '../scan.js';

/** Per parent its rows that pass the conditions, in order, before the embed's window is applied. */
export async function callPerRow(
  context: ReadContext,
  { source }: Level,
  { join, level }: Related,
  conditions: readonly Condition[],
  parents: readonly StoredRow[],
): Promise<Map<StoredRow, StoredRow[]>> {
  if (join.kind !== 'call') throw new TypeError('the embed is not a call');
  const groups = await Promise.all(
    parents.map(async (parent) => {
      const result = await context.call(join.called, { [join.argument]: rowArgument(source, parent) });
      const rows = moduleRows(level.relation, result);
      const scan = { order: level.order, skip: 0, limit: undefined, fields: undefined, computed: [] };
      const found = await scanRows(context, { ...scan, source: { ...level.source, rows }, conditions });
      return [parent, found] as const;
    }),
  );
  return new Map(groups);
}
