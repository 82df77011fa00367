/** All that is derived from one catalog. A reload makes another one and puts it in this one's place. */
import { LRUCache } from 'lru-cache';
import { isServiceError } from 'plugboard/sdk';
import { catalogIn } from '../catalog/in-zone.js';
import type { Catalog, Relation } from '../catalog/model.js';
import { CatalogError } from '../catalog/read.js';
import { sourceOf } from '../plan/source.js';
import { schemaCache } from '../relationships/schema-cache.js';
import type { TimeZone } from '../values/time-zone.js';
import type { WriteSchema } from '../write/request.js';
import { rowChecks } from '../write/checks.js';
import { references } from '../write/references.js';
import type { RowCheck } from '../write/row-constraints.js';

export interface SchemaState extends WriteSchema {
  /** The same for requests that are of another time zone. */
  readonly inZone: (zone: TimeZone) => SchemaState;
}

/** Time zones whose states are kept: each is as large as the first, without its prepared reads. */
const ZONES_KEPT = 16;

/** Throws a CatalogError when a condition of the catalog cannot be read. */
export function schemaState(catalog: Catalog): SchemaState {
  const checks = new Map<Relation, RowCheck[]>();
  for (const { relations } of catalog.schemas.values()) {
    for (const relation of relations.values()) {
      const where = `${relation.schema}.${relation.name}`;
      if (relation.kind === 'table')
        checks.set(
          relation,
          understood(where, () => rowChecks(catalog, relation)),
        );
      else understood(where, () => sourceOf(catalog, relation));
    }
  }
  const cache = schemaCache(catalog);
  return {
    catalog,
    cache,
    references: references(catalog),
    checks: (table) => checks.get(table) ?? [],
    inZone: zonesOf(catalog),
  };
}

function zonesOf(catalog: Catalog): SchemaState['inZone'] {
  const states = new LRUCache<TimeZone, SchemaState>({ max: ZONES_KEPT });
  return (zone) => {
    const known = states.get(zone) ?? schemaState(catalogIn(catalog, zone));
    states.set(zone, known);
    return known;
  };
}

function understood<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isServiceError(error)) throw error;
    throw new CatalogError(`the catalog has problems\n${where}: ${error.message}`, { cause: error });
  }
}
