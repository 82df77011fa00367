/** Everything that is derived from a catalog, once: relationships by origin, computed columns. */
import type { Catalog, CatalogFunction, Relation } from '../catalog/model.js';
import { computedColumns, computedRelationships } from './computed.js';
import { foreignKeyRelationships, inverse } from './foreign-keys.js';
import { junctionRelationships } from './junctions.js';
import { compareRelationships, type Relationship } from './relationship.js';
import { viewRelationships } from './views.js';

export interface SchemaCache {
  readonly catalog: Catalog;
  /** Sorted; between exposed relations only. */
  relationshipsOf(origin: Relation): readonly Relationship[];
  computedColumn(relation: Relation, name: string): CatalogFunction | undefined;
}

const caches = new WeakMap<Catalog, SchemaCache>();

/** The cache of this catalog; a reload makes another catalog and so another cache. */
export function schemaCache(catalog: Catalog): SchemaCache {
  let cache = caches.get(catalog);
  if (cache === undefined) caches.set(catalog, (cache = build(catalog)));
  return cache;
}

function build(catalog: Catalog): SchemaCache {
  const byOrigin = new Map<Relation, Relationship[]>();
  for (const relationship of detect(catalog).sort(compareRelationships)) {
    const others = byOrigin.get(relationship.origin);
    if (others === undefined) byOrigin.set(relationship.origin, [relationship]);
    else others.push(relationship);
  }
  const columns = computedColumns(catalog);
  return {
    catalog,
    relationshipsOf: (origin) => byOrigin.get(origin) ?? [],
    computedColumn: (relation, name) => columns.get(relation)?.get(name),
  };
}

function detect(catalog: Catalog): Relationship[] {
  const exposes = (schema: string): boolean => catalog.exposed.includes(schema);
  const tables = foreignKeyRelationships(catalog);
  const keys = [...tables, ...viewRelationships(catalog, tables)];
  const computed = computedRelationships(catalog);
  const detected = [...keys, ...keys.map(inverse), ...junctionRelationships(exposes, keys)].filter(
    ({ origin, target }) =>
      exposes(origin.schema) && exposes(target.schema) && !isHidden(computed, origin, target),
  );
  return [...detected, ...computed];
}

/** A computed relationship takes the place of those to the relation that it is named like. */
function isHidden(computed: readonly Relationship[], origin: Relation, target: Relation): boolean {
  return computed.some(
    (other) =>
      other.kind === 'computed' &&
      other.origin === origin &&
      other.function.schema === target.schema &&
      other.function.name === target.name,
  );
}
