/** Everything derived from a catalog, once: relationships by origin, computed columns. */
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
  /** Whether it is related to anything in the schema, even through a junction that is not exposed. */
  isRelated(origin: Relation, schema: string): boolean;
  computedColumn(relation: Relation, name: string): CatalogFunction | undefined;
}

const caches = new WeakMap<Catalog, SchemaCache>();

/** The cache of this catalog; a reload makes a new catalog and so a new cache. */
export function schemaCache(catalog: Catalog): SchemaCache {
  let cache = caches.get(catalog);
  if (cache === undefined) caches.set(catalog, (cache = build(catalog)));
  return cache;
}

function build(catalog: Catalog): SchemaCache {
  const byOrigin = new Map<Relation, Relationship[]>();
  const related = new Map<Relation, Set<string>>();
  const { relationships, hidden } = detect(catalog);
  for (const { origin, target } of [...relationships, ...hidden]) {
    related.set(origin, (related.get(origin) ?? new Set()).add(target.schema));
  }
  for (const relationship of relationships.sort(compareRelationships)) {
    const others = byOrigin.get(relationship.origin);
    if (others === undefined) byOrigin.set(relationship.origin, [relationship]);
    else others.push(relationship);
  }
  const columns = computedColumns(catalog);
  return {
    catalog,
    relationshipsOf: (origin) => byOrigin.get(origin) ?? [],
    isRelated: (origin, schema) => related.get(origin)?.has(schema) ?? false,
    computedColumn: (relation, name) => columns.get(relation)?.get(name),
  };
}

interface Detected {
  readonly relationships: Relationship[];
  /** Many-to-many ones whose junction is in an unexposed schema: they are unusable. */
  readonly hidden: readonly Relationship[];
}

function detect(catalog: Catalog): Detected {
  const exposes = (relation: Relation): boolean => catalog.exposed.includes(relation.schema);
  const tables = foreignKeyRelationships(catalog);
  const keys = [...tables, ...viewRelationships(catalog, tables)];
  const computed = computedRelationships(catalog);
  const detected = [...keys, ...keys.map(inverse), ...junctionRelationships(keys)].filter(
    ({ origin, target }) => exposes(origin) && exposes(target) && !isHidden(computed, origin, target),
  );
  const usable = (relationship: Relationship): boolean =>
    relationship.kind !== 'many-to-many' || exposes(relationship.junction);
  return {
    relationships: [...detected.filter(usable), ...computed],
    hidden: detected.filter((relationship) => !usable(relationship)),
  };
}

/** A computed relationship replaces those to the relation that it is named after. */
function isHidden(computed: readonly Relationship[], origin: Relation, target: Relation): boolean {
  return computed.some(
    (other) =>
      other.kind === 'computed' &&
      other.origin === origin &&
      other.function.schema === target.schema &&
      other.function.name === target.name,
  );
}
