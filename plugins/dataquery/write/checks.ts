/** The checks of a table as functions of a row. */
import type { Catalog, Relation } from '../catalog/model.js';
import { conditionsOn, sourceOf } from '../plan/source.js';
import { predicateFor } from '../read/predicate.js';
import type { RowCheck } from './row-constraints.js';
import type { StoredRow } from '../values/stored.js';

/** Throws when a check cannot be read: a problem of the catalog. */
export function rowChecks(catalog: Catalog, table: Relation): RowCheck[] {
  return table.checks.map(({ name, conditions }) => {
    const violated = conditionsOn(table, sourceOf(catalog, table), conditions).map((condition) =>
      predicateFor(condition, false),
    );
    return { name, passes: (row) => !violated.some((fails) => fails(row as StoredRow)) };
  });
}
