/** Columns that a function of the row computes: called once per row, before the row is filtered, sorted or printed. */
import type { Source } from '../plan/level.js';
import type { Value } from '../plan/value.js';
import type { StoredRow } from '../values/stored.js';
import type { ReadContext } from './context.js';

export async function addComputed(
  context: ReadContext,
  source: Source,
  values: readonly Value[],
  rows: readonly StoredRow[],
): Promise<StoredRow[]> {
  const columns = new Map(
    values.flatMap((value) => (value.computed === undefined ? [] : [[value.field, value]])),
  );
  if (columns.size === 0) return rows as StoredRow[];
  return Promise.all(
    rows.map(async (row) => {
      const added: Record<string, StoredRow[string]> = {};
      for (const [field, value] of columns) {
        const called = value.computed!;
        const result = await context.call(called, { [called.args[0]!.name]: rowArgument(source, row) });
        added[field] = called.returns.kind === 'scalar' ? called.returns.type.fromJson(result ?? null) : null;
      }
      return { ...row, ...added };
    }),
  );
}

/** A row as a function of a module receives it: JSON values by column name. */
export function rowArgument(source: Source, row: StoredRow): Record<string, unknown> {
  return Object.fromEntries(
    [...source.columns].map(([name, column]) => {
      const stored = row[column.field] ?? null;
      const type = column.type.over ?? column.type;
      return [name, stored === null ? null : (JSON.parse(type.toJson(stored)) as unknown)];
    }),
  );
}
