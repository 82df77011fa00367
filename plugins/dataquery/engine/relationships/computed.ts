/** Relationships and columns that are functions of a row. */
import { relationOf, type Catalog, type CatalogFunction, type Relation } from '../catalog/model.js';
import type { ComputedRelationship } from './relationship.js';

export function computedRelationships(catalog: Catalog): ComputedRelationship[] {
  return functionsOfRow(catalog).flatMap(({ called, origin }) => {
    if (called.returns.kind !== 'row') return [];
    const target = relationOf(catalog, called.returns.relation);
    if (target === undefined) return [];
    const toOne = !called.returns.set || called.returns.rows === 1;
    return [{ kind: 'computed' as const, origin, target, function: called, toOne }];
  });
}

/** Per relation its computed columns by name. */
export function computedColumns(
  catalog: Catalog,
): ReadonlyMap<Relation, ReadonlyMap<string, CatalogFunction>> {
  const found = new Map<Relation, Map<string, CatalogFunction>>();
  for (const { called, origin } of functionsOfRow(catalog)) {
    if (called.returns.kind !== 'scalar' || called.returns.set) continue;
    const columns = found.get(origin) ?? new Map<string, CatalogFunction>();
    found.set(origin, columns.set(called.name, called));
  }
  return found;
}

/** The functions with exactly one argument, a row of a relation. */
function functionsOfRow(catalog: Catalog): { called: CatalogFunction; origin: Relation }[] {
  return [...catalog.schemas.values()]
    .flatMap((schema) => [...schema.functions.values()].flat())
    .flatMap((called) => {
      const [argument, ...others] = called.args;
      if (argument === undefined || others.length > 0 || !('row' in argument.type)) return [];
      const origin = relationOf(catalog, argument.type.row);
      return origin === undefined ? [] : [{ called, origin }];
    });
}
