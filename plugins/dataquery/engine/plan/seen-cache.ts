/** What is derived from a catalog, as one caller sees it. */
import type { Catalog } from '../catalog/model.js';
import { schemaCache, type SchemaCache } from '../relationships/schema-cache.js';
import { ALL_RIGHTS, type Rights } from './rights.js';

export interface SeenCache extends SchemaCache {
  readonly rights: Rights;
}

export function seenCache(catalog: Catalog, rights: Rights = ALL_RIGHTS): SeenCache {
  return { ...schemaCache(catalog), rights };
}
