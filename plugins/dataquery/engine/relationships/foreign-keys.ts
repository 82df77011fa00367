/** Relationships between tables by their foreign keys, seen from the table that holds the key. */
import { relationOf, type Catalog, type Relation } from '../catalog/model.js';
import type { KeyRelationship } from './relationship.js';

export function foreignKeyRelationships(catalog: Catalog): KeyRelationship[] {
  const found: KeyRelationship[] = [];
  for (const schema of catalog.schemas.values()) {
    for (const origin of schema.relations.values()) {
      for (const key of origin.foreignKeys) {
        const target = relationOf(catalog, key.references);
        if (target === undefined) continue;
        found.push({
          kind: isUnique(origin, key.columns) ? 'one-to-one' : 'many-to-one',
          origin,
          target,
          constraint: key.name,
          columns: key.columns.map((column, at) => [column, key.references.columns[at]!] as const),
          references: true,
          self: origin === target,
        });
      }
    }
  }
  return found;
}

/** The same relationship seen from its other side. */
export function inverse(relationship: KeyRelationship): KeyRelationship {
  return {
    ...relationship,
    kind: relationship.kind === 'many-to-one' ? 'one-to-many' : 'one-to-one',
    origin: relationship.target,
    target: relationship.origin,
    columns: relationship.columns.map(([origin, target]) => [target, origin] as const),
    references: false,
  };
}

/** As a set the columns are the primary key or a unique constraint: a row has at most one other. */
function isUnique(relation: Relation, columns: readonly string[]): boolean {
  const keys = [relation.primaryKey, ...relation.unique.map((constraint) => constraint.columns)];
  return keys.some((key) => key.length === columns.length && key.every((column) => columns.includes(column)));
}
