/**
 * Records row changes in the transaction that writes them: for subscriptions of live tables, and for the operator's
 * endpoints, which get the record of `postgres_changes`.
 */
import type { Changes, NotedChange, Transaction } from 'plugboard/sdk';
import type { Relation } from '../catalog/model.js';
import { rowChange } from '../rows/row-changes.js';
import type { StoredRow } from '../values/stored.js';
import { storeInParts, type RowDifference, type TellRows } from './metered.js';
import type { WriteContext } from './request.js';

export function tellRows(
  { changes, store, clock, budget }: Pick<WriteContext, 'changes' | 'store' | 'clock' | 'budget'>,
  tx: Transaction,
  erases = false,
): TellRows {
  return async (table, rows) => {
    const { collection, live } = table;
    if (live && collection !== undefined) {
      const at = new Date(clock.now());
      const told = rows.map((row) => rowChange(collection, at, row));
      await storeInParts(budget, told, (part) => store.changes.store(tx, part));
    }
    await tellEndpoints(changes, tx, table, rows, erases);
  };
}

async function tellEndpoints(
  changes: Changes | undefined,
  tx: Transaction,
  table: Relation,
  rows: readonly RowDifference[],
  erases: boolean,
): Promise<void> {
  if (changes?.on !== true) return;
  const isErased = ({ after }: RowDifference): boolean => erases && after === undefined;
  const wanted = rows.filter((row) => isErased(row) || changes.wants(typeOf(table, row)));
  if (wanted.length === 0) return;
  await changes.record(tx, ...wanted.map((row) => ({ ...changeOf(table, row), erases: isErased(row) })));
}

const KINDS = { INSERT: 'inserted', UPDATE: 'updated', DELETE: 'deleted' } as const;

function kindOf({ before, after }: RowDifference): keyof typeof KINDS {
  if (before === undefined) return 'INSERT';
  return after === undefined ? 'DELETE' : 'UPDATE';
}

function typeOf({ schema, name }: Relation, row: RowDifference): string {
  return `rows.${schema}.${name}.${KINDS[kindOf(row)]}`;
}

function changeOf(table: Relation, row: RowDifference): NotedChange {
  const record = row.after === undefined ? null : recordOf(table, row.after);
  const old = row.before === undefined ? null : recordOf(table, row.before);
  const { schema, name } = table;
  return {
    type: typeOf(table, row),
    subject: `${schema}.${name}/${keyOf(table, (record ?? old)!, (row.after ?? row.before)!)}`,
    data: { type: kindOf(row), schema, table: name, record, old_record: old },
  };
}

/** By the primary key, as receivers know the row; two transactions that write one key conflict. */
function keyOf(
  { primaryKey }: Relation,
  record: Readonly<Record<string, unknown>>,
  { _id }: StoredRow,
): string {
  if (primaryKey.length === 0) return _id;
  return primaryKey.map((name) => encodeURIComponent(String(record[name]))).join(',');
}

/** A row by column names. */
export function recordOf({ columns }: Relation, row: StoredRow): Record<string, unknown> {
  return Object.fromEntries(
    [...columns.values()].map(({ name, field, type }) => {
      const stored = row[field] ?? null;
      return [name, valueOf(stored === null ? (type.nullToJson?.() ?? 'null') : type.toJson(stored))];
    }),
  );
}

/** An integer that JavaScript would round, or a number too large for it, stays a text. */
function valueOf(json: string): unknown {
  const value = JSON.parse(json) as unknown;
  if (typeof value !== 'number') return value;
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded || !Number.isFinite(value) ? json : value;
}
