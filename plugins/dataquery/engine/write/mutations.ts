/** The four ways to change rows, inside one transaction. Each returns the stored rows that it touched. */
import { isDeepStrictEqual } from 'node:util';
import { isStorageError } from 'plugboard/sdk';
import type { Column, Relation } from '../catalog/model.js';
import { eachPaced, mapPaced } from '../base/budget.js';
import { errors } from '../base/errors.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { changedRow } from './draft.js';
import { checkParents, ReferentialActions, type References } from './references.js';
import { NO_GUARD, refuseRows, type Guard } from './guard.js';
import { addRows, inParts, removeRows, replaceRows, type Metered } from './metered.js';
import { checkRow, type RowCheck } from './row-constraints.js';
import { keyOf, keysFilter, keyText } from './unique.js';

/** What a write of one table needs. */
export interface TableWrite extends Metered {
  readonly table: Relation;
  readonly references: References;
  readonly checks: readonly RowCheck[];
  readonly guard: Guard;
}

/** Storage refused the rows because of a unique index; the cause is found after the transaction. */
export class DuplicateRows extends Error {
  readonly table: Relation;
  readonly rows: readonly StoredRow[];
  constructor(table: Relation, rows: readonly StoredRow[], cause: unknown) {
    super('duplicate rows', { cause });
    this.table = table;
    this.rows = rows;
  }
}

export async function insertRows(
  write: TableWrite,
  rows: readonly StoredRow[],
): Promise<readonly StoredRow[]> {
  if (rows.length === 0) return rows;
  await checkRows(write, 'insert', rows);
  await guarded(write, rows, () => addRows(write, write.table, rows));
  const added = rows.map((after) => ({ after }));
  await checkParents(write, write.references.from(write.table), added);
  return rows;
}

/** Throws 42501, 23502 or 23514 for the first row that may not be stored: policies come first. */
async function checkRows(
  write: TableWrite,
  step: 'insert' | 'update',
  rows: readonly StoredRow[],
): Promise<void> {
  const refused = await write.guard.refused(step, rows);
  await eachPaced(write.budget, rows, (row) => {
    const error = refused.get(row);
    if (error !== undefined) throw error;
    checkRow(write.table, row, write.checks);
  });
}

export interface Conflict {
  readonly columns: readonly Column[];
  /** Keeps the existing row, or gives it the values of the new one. */
  readonly resolution: 'ignore-duplicates' | 'merge-duplicates';
  /** What a merge takes from the new row at an index of the request. */
  readonly assigned: (at: number) => readonly Column[];
  /** Whether a row may be repeated with the same values. */
  readonly mayRepeat?: boolean;
}

export interface Upserted {
  /** The inserted or merged rows, in the order of the request. */
  readonly rows: readonly StoredRow[];
  /** The stored row for each row of the request. */
  readonly settled: readonly StoredRow[];
  readonly inserted: number;
}

/** Inserts the rows whose key does not exist yet; the others are merged or left. */
export async function upsertRows(
  write: TableWrite,
  rows: readonly StoredRow[],
  conflict: Conflict,
): Promise<Upserted> {
  // All proposed rows are checked, even if an existing one is kept. Related rows may be given by their key alone:
  // policies check all of them, constraints only those that are stored.
  if (conflict.mayRepeat === undefined) await checkRows(write, 'insert', rows);
  else await refuseRows(write.guard, 'insert', rows);
  const existing = await existingByKey(write, rows, conflict.columns);
  const merge = conflict.resolution === 'merge-duplicates';
  const fresh: StoredRow[] = [];
  const changes: { before: StoredRow; after: StoredRow }[] = [];
  const touched: StoredRow[] = [];
  const settled: StoredRow[] = [];
  const seen = new Map<string, StoredRow>();
  for (const [at, row] of rows.entries()) {
    const key = keyOf(conflict.columns, row);
    const text = key === undefined ? undefined : keyText(conflict.columns, key);
    const earlier = text === undefined ? undefined : seen.get(text);
    if (earlier !== undefined) {
      settled.push(earlier);
      if (!merge) continue;
      if (
        conflict.mayRepeat === true &&
        isDeepStrictEqual(earlier, merged(earlier, row, conflict.assigned(at)))
      )
        continue;
      throw errors['21000']({
        hint: 'Ensure that no rows proposed for insertion within the same command have duplicate constrained values.',
      });
    }
    const before = text === undefined ? undefined : existing.get(text);
    const after = before === undefined ? row : merge ? merged(before, row, conflict.assigned(at)) : before;
    if (text !== undefined) seen.set(text, after);
    settled.push(after);
    if (before === undefined) fresh.push(row);
    else if (merge) changes.push({ before, after });
    if (before === undefined || merge) touched.push(after);
  }
  if (merge)
    await refuseRows(
      write.guard,
      'conflict',
      changes.map(({ before }) => before),
    );
  // Related rows take their keys from existing ones.
  else if (conflict.mayRepeat !== undefined) await refuseRows(write.guard, 'met', [...existing.values()]);
  await insertRows({ ...write, guard: NO_GUARD }, fresh);
  await applyChanges(write, changes);
  return { rows: touched, settled, inserted: fresh.length };
}

function merged(before: StoredRow, row: StoredRow, assigned: readonly Column[]): StoredRow {
  return changedRow(
    before,
    new Map(assigned.map((column): [Column, Stored | null] => [column, row[column.field] ?? null])),
  );
}

/** Gives every row the values. */
export async function updateRows(
  write: TableWrite,
  rows: readonly StoredRow[],
  values: ReadonlyMap<Column, Stored | null>,
): Promise<readonly StoredRow[]> {
  const changes = await mapPaced(write.budget, rows, (before) => ({
    before,
    after: changedRow(before, values),
  }));
  await applyChanges(write, changes);
  return changes.map(({ after }) => after);
}

export async function deleteRows(
  write: TableWrite,
  rows: readonly StoredRow[],
): Promise<readonly StoredRow[]> {
  if (rows.length === 0) return rows;
  await removeRows(write, write.table, rows);
  const actions = new ReferentialActions(write);
  await actions.apply(
    write.table,
    rows.map((before) => ({ before, after: undefined })),
  );
  await actions.finish();
  return rows;
}

async function applyChanges(
  write: TableWrite,
  changes: readonly { before: StoredRow; after: StoredRow }[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ after }) => after);
  await checkRows(write, 'update', rows);
  await guarded(write, rows, () => replaceRows(write, write.table, changes));
  await checkParents(write, write.references.from(write.table), changes);
  const actions = new ReferentialActions(write);
  await actions.apply(write.table, changes);
  await actions.finish();
}

async function existingByKey(
  { table, collection }: TableWrite,
  rows: readonly StoredRow[],
  columns: readonly Column[],
): Promise<Map<string, StoredRow>> {
  const keys = rows.flatMap((row) => [keyOf(columns, row)].filter((key) => key !== undefined));
  const found = new Map<string, StoredRow>();
  if (keys.length === 0 || columns.length === 0) return found;
  for (const part of inParts(keys)) {
    for await (const row of collection(table).find(keysFilter(columns, part))) {
      const key = keyOf(columns, row);
      if (key !== undefined) found.set(keyText(columns, key), row);
    }
  }
  return found;
}

async function guarded(
  { table }: TableWrite,
  rows: readonly StoredRow[],
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isStorageError(error, 'duplicate_key')) throw new DuplicateRows(table, rows, error);
    throw error;
  }
}
