/** From the rows of a body to rows for storage: values of their types, defaults, identities. */
import type { Clock } from 'plugboard/sdk';
import type { Column, Default, Relation } from '../catalog/model.js';
import { errors } from '../base/errors.js';
import { readGiven, type Row } from './rows.js';
import type { Stored, StoredRow } from '../values/stored.js';
import { randomUUID } from 'node:crypto';
import type { WriteTarget } from './target.js';

/** A row to be stored, without its id; nulls are left out. */
export type Draft = Record<string, Stored>;

export interface WriteColumns {
  /** The columns that the request gives values for, in its order. */
  readonly given: readonly { readonly name: string; readonly column: Column }[];
  /** A missing key gets the column's default instead of null. */
  readonly missingDefault: boolean;
}

/** The columns of a write: those in `columns`, otherwise the keys of the body. Throws SVC204. */
export function writeColumns(
  target: WriteTarget,
  columns: readonly string[] | undefined,
  keys: readonly string[],
  missingDefault: boolean,
): WriteColumns {
  const given = [...new Set(columns ?? keys)].map((name) => {
    const column = target.columnOf(name);
    if (column !== undefined) return { name, column };
    throw errors.SVC204({ values: { column: name, relation: target.relation.name } });
  });
  return { given, missingDefault };
}

/** Fills defaults. `identity` gives the next number of a column. */
export interface Defaults {
  readonly clock: Clock;
  readonly identity: (column: Column) => Stored;
}

/** A new row: given values, and defaults for the other columns. Throws 428C9 and the types' errors. */
export function newRow(table: Relation, columns: WriteColumns, row: Row, defaults: Defaults): Draft {
  const draft: Draft = {};
  for (const { name, column } of columns.given) {
    if (isLeftToDefault(columns, name, row)) assign(draft, column, defaultValue(column, defaults));
    else {
      refuseGenerated(column, 'insert');
      assign(draft, column, readGiven(column.type, row[name]));
    }
  }
  for (const column of defaulted(table, columns)) assign(draft, column, defaultValue(column, defaults));
  return draft;
}

const ofColumns = new WeakMap<WriteColumns, readonly Column[]>();

/** The columns with a default that the request does not give; computed once for all of its rows. */
function defaulted(table: Relation, columns: WriteColumns): readonly Column[] {
  let known = ofColumns.get(columns);
  if (known === undefined) {
    const given = new Set(columns.given.map(({ column }) => column));
    known = [...table.columns.values()].filter(
      (column) => column.default !== undefined && !given.has(column),
    );
    ofColumns.set(columns, known);
  }
  return known;
}

/** Whether a column that the request names gets its default in this row. */
export function isLeftToDefault({ missingDefault }: WriteColumns, name: string, row: Row): boolean {
  return missingDefault && !Object.hasOwn(row, name);
}

/** What an update assigns: null removes the member. */
export function newValues(columns: WriteColumns, row: Row, defaults: Defaults): Map<Column, Stored | null> {
  return new Map(
    columns.given.map(({ name, column }) => {
      if (isLeftToDefault(columns, name, row)) return [column, defaultValue(column, defaults)];
      refuseGenerated(column, 'update');
      return [column, readGiven(column.type, row[name])];
    }),
  );
}

/** The stored row with other values. */
export function changedRow(row: StoredRow, values: ReadonlyMap<Column, Stored | null>): StoredRow {
  const changed: Record<string, Stored | null | undefined> & { _id: string } = { ...row };
  for (const [{ field }, value] of values) {
    if (value === null) delete changed[field];
    else changed[field] = value;
  }
  return changed;
}

/** The column's default; null without one. */
export function defaultValue(column: Column, defaults: Defaults): Stored | null {
  const rule: Default | undefined = column.default;
  const type = column.type.over ?? column.type;
  switch (rule?.kind) {
    case undefined:
      return null;
    case 'value':
      return rule.value;
    case 'identity':
      return defaults.identity(column);
    case 'uuid':
      return type.parse(randomUUID());
    case 'now':
      return type.parse(new Date(defaults.clock.now()).toISOString());
  }
}

function refuseGenerated(column: Column, verb: 'insert' | 'update'): void {
  if (!column.generated) return;
  throw errors['428C9']({
    values: { column: column.name },
    ...(verb === 'update' ? { message: `column "${column.name}" can only be updated to DEFAULT` } : {}),
    details: `Column "${column.name}" is a generated column.`,
  });
}

function assign(draft: Draft, column: Column, value: Stored | null): void {
  if (value !== null) draft[column.field] = value;
}
