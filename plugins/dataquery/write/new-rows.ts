/** The rows of a body as new rows of a table, with their ids, defaults and identities. */
import type { Column } from '../catalog/model.js';
import type { Row } from '../http/body.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { missingColumns, newRow, type WriteColumns } from './draft.js';
import { reserveIdentities, skipIdentities } from './identity.js';
import type { WriteContext } from './request.js';
import type { WriteTarget } from './target.js';

/** Throws 428C9 and the types' errors. Reserves identities, which a write that is refused leaves unused. */
export async function newRows(
  { store, clock }: WriteContext,
  { table }: WriteTarget,
  rows: readonly Row[],
  columns: WriteColumns,
): Promise<StoredRow[]> {
  const next = new Map<Column, () => Stored>();
  for (const column of table.columns.values()) {
    if (column.default?.kind !== 'identity') continue;
    const name = columns.given.find((given) => given.column === column)?.name;
    const chosen = name === undefined ? [] : rows.map((row) => column.type.fromJson(row[name]));
    const count = rows.filter((row) => missingColumns(table, columns, row).includes(column)).length;
    if (count === 0) await skipIdentities(store, table, column, chosen);
    else next.set(column, await reserveIdentities(store, table, column, count, chosen));
  }
  const identity = (column: Column): Stored => next.get(column)?.() ?? 0;
  return rows.map((row) => ({
    _id: store.nextId(),
    ...newRow(table, columns, row, { clock, identity }),
  }));
}
