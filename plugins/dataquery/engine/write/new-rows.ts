/** The rows of a body as new rows of a table, with their ids, defaults and identities. */
import { mapPaced } from '../base/budget.js';
import type { Column } from '../catalog/model.js';
import { readGiven, type Row } from './rows.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { isLeftToDefault, newRow, type WriteColumns } from './draft.js';
import { reserveIdentities, skipIdentities } from './identity.js';
import type { WriteContext } from './request.js';
import type { WriteTarget } from './target.js';

/** Throws 428C9 and the types' errors. Reserves identities, which a refused write leaves unused. */
export async function newRows(
  { store, clock, budget }: WriteContext,
  { table }: WriteTarget,
  rows: readonly Row[],
  columns: WriteColumns,
): Promise<StoredRow[]> {
  const next = new Map<Column, () => Stored>();
  for (const column of table.columns.values()) {
    if (column.default?.kind !== 'identity') continue;
    const name = columns.given.find((given) => given.column === column)?.name;
    const chosen =
      name === undefined ? [] : await mapPaced(budget, rows, (row) => readGiven(column.type, row[name]));
    const isMissing = (row: Row): boolean => name === undefined || isLeftToDefault(columns, name, row);
    const count = rows.reduce((sum, row) => sum + (isMissing(row) ? 1 : 0), 0);
    if (count === 0) await skipIdentities(store, table, column, chosen);
    else next.set(column, await reserveIdentities(store, table, column, count, chosen));
  }
  const identity = (column: Column): Stored => next.get(column)?.() ?? 0;
  return mapPaced(budget, rows, (row) => ({
    _id: store.nextId(),
    ...newRow(table, columns, row, { clock, identity }),
  }));
}
