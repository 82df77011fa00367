/** The rows of a function declared as a query: rows of `from` that pass `where`, with the arguments filled in. */
import { relationOf, type CatalogFunction } from '../catalog/model.js';
import type { Source } from './level.js';
import { rightsOf } from './rights.js';
import { conditionsOn, sourceOf, type SeenCatalog } from './source.js';

/**
 * `args` holds literals by name; null makes every comparison with it unknown. Throws 42501 if the caller may not read
 * whole rows: choosing arguments reveals every column that they are compared with.
 */
export function functionSource(
  { catalog, rights }: SeenCatalog,
  called: CatalogFunction,
  args: ReadonlyMap<string, string | null> = new Map(),
): Source {
  const { body } = called;
  const from = body.kind === 'query' ? relationOf(catalog, body.from) : undefined;
  if (from === undefined || body.kind !== 'query') throw new TypeError(`${called.name} is not a query`);
  const source = sourceOf({ catalog, rights: rightsOf(called, rights) }, from);
  for (const column of source.unread ?? []) throw rights.denied({ relation: from.name }, column);
  return { ...source, conditions: [...source.conditions, ...conditionsOn(from, source, body.where, args)] };
}
