/** All that is derived from one catalog. A reload makes another one and puts it in this one's place. */
import { isServiceError } from 'plugboard/sdk';
import { PreparedReads } from './api/prepared-reads.js';
import type { Catalog, Relation } from './catalog/model.js';
import { CatalogError } from './catalog/read.js';
import { sourceOf } from './plan/source.js';
import { schemaCache, type SchemaCache } from './relationships/schema-cache.js';
import { rowChecks } from './write/checks.js';
import { references, type References } from './write/references.js';
import type { RowCheck } from './write/row-constraints.js';

export interface SchemaState {
  readonly catalog: Catalog;
  readonly cache: SchemaCache;
  readonly reads: PreparedReads;
  readonly references: References;
  readonly checks: (table: Relation) => readonly RowCheck[];
}

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
    reads: new PreparedReads(cache),
    references: references(catalog),
    checks: (table) => checks.get(table) ?? [],
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
