/** The checks of a table as functions of a row. */
import type { Catalog, Relation } from '../catalog/model.js';
import { conditionsOn, wholeSource } from '../plan/source.js';
import { predicateFor, type Predicate } from '../read/predicate.js';
import { noticingMoments } from '../values/moment.js';
import type { RowCheck } from './row-constraints.js';
import type { StoredRow } from '../values/stored.js';

/** Throws if a check cannot be read: a problem of the catalog. */
export function rowChecks(catalog: Catalog, table: Relation): RowCheck[] {
  return table.checks.map(({ name, conditions }) => {
    const read = (): Predicate[] =>
      conditionsOn(table, wholeSource(catalog, table), conditions).map((condition) =>
        predicateFor(condition, false),
      );
    const { result: violated, momentary } = noticingMoments(read);
    // In a check, `now` means the moment of the write.
    const now = (): readonly Predicate[] => (momentary ? read() : violated);
    return { name, passes: (row) => !now().some((fails) => fails(row as StoredRow)) };
  });
}
