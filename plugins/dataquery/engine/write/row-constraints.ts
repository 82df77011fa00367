/** Constraints of a single row: no null in a required column, and every check. */
import type { Relation } from '../catalog/model.js';
import { errors } from '../base/errors.js';
import type { Stored } from '../values/stored.js';

/** Whether a row passes; unknown (a comparison with null) passes too. */
export interface RowCheck {
  readonly name: string;
  passes(row: RowValues): boolean;
}

export type RowValues = Readonly<Record<string, Stored | null | undefined>>;

/** Throws 23502 or 23514. */
export function checkRow(table: Relation, row: RowValues, checks: readonly RowCheck[]): void {
  for (const column of table.columns.values()) {
    const required = column.required || table.primaryKey.includes(column.name);
    if (required && !column.generated && (row[column.field] ?? null) === null) {
      throw errors['23502']({
        values: { column: column.name, relation: table.name },
        details: failingRow(table, row),
      });
    }
  }
  for (const check of checks) {
    if (!check.passes(row)) {
      throw errors['23514']({
        values: { relation: table.name, constraint: check.name },
        details: failingRow(table, row),
      });
    }
  }
}

/** `Failing row contains (null, foo).`; long values are cut at 64 characters, as in PostgreSQL. */
function failingRow(table: Relation, row: RowValues): string {
  const values = [...table.columns.values()].map(({ field, type }) => {
    const value = row[field] ?? null;
    const text = value === null ? 'null' : type.toText(value);
    return text.length > 64 ? `${text.slice(0, 64)}...` : text;
  });
  return `Failing row contains (${values.join(', ')}).`;
}
