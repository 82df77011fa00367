/** Many-to-many: a relation with two foreign keys whose columns all belong to its primary key. */
import type { Relation } from '../catalog/model.js';
import type { JunctionRelationship, KeyRelationship } from './relationship.js';

/** From the many-to-one relationships of every relation, views included. */
export function junctionRelationships(relationships: readonly KeyRelationship[]): JunctionRelationship[] {
  const byJunction = new Map<Relation, KeyRelationship[]>();
  for (const relationship of relationships) {
    if (relationship.kind !== 'many-to-one') continue;
    const list = byJunction.get(relationship.origin);
    if (list === undefined) byJunction.set(relationship.origin, [relationship]);
    else list.push(relationship);
  }
  return [...byJunction].flatMap(([junction, keys]) => pairsThrough(junction, keys));
}

function pairsThrough(junction: Relation, keys: readonly KeyRelationship[]): JunctionRelationship[] {
  const primaryKey = new Set(junction.primaryKey);
  const inKey = keys.filter((key) => key.columns.every(([column]) => primaryKey.has(column)));
  return inKey.flatMap((near) =>
    inKey
      .filter((far) => far.constraint !== near.constraint)
      .map((far) => ({
        kind: 'many-to-many' as const,
        origin: near.target,
        target: far.target,
        junction,
        near: {
          constraint: near.constraint,
          columns: near.columns.map(([column, referenced]) => [referenced, column] as const),
        },
        far: { constraint: far.constraint, columns: far.columns },
        self: near.target === far.target,
      })),
  );
}
