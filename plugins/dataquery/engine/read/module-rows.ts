/** The result of a trusted module's function, as rows of its declared relation. */
import type { Relation } from '../catalog/model.js';
import type { Stored, StoredRow } from '../values/stored.js';

/** One object or an array of them, with columns as keys; null means no row. Throws 22P02 for a wrong value. */
export function moduleRows(relation: Relation, result: unknown): StoredRow[] {
  if (result === null || result === undefined) return [];
  return (Array.isArray(result) ? (result as unknown[]) : [result]).map((row, at) =>
    storedRow(relation, row, at),
  );
}

function storedRow(relation: Relation, row: unknown, at: number): StoredRow {
  if (typeof row !== 'object' || row === null) {
    throw new TypeError(`a function that returns rows of ${relation.name} returned ${typeof row}`);
  }
  const values = row as Record<string, unknown>;
  const fields = [...relation.columns.values()].map((column): [string, Stored | null] => [
    column.field,
    column.type.fromJson(values[column.name] ?? null),
  ]);
  return { _id: String(at).padStart(10, '0'), ...Object.fromEntries(fields) };
}
