/** The rows of a function that is declared as a query: those of `from` that pass `where`, with the arguments filled in. */
import { relationOf, type Catalog, type CatalogFunction } from '../catalog/model.js';
import type { Source } from './level.js';
import { conditionsOn, sourceOf } from './source.js';

/** `args` holds literals by name; null makes every comparison with it unknown. */
export function functionSource(
  catalog: Catalog,
  called: CatalogFunction,
  args: ReadonlyMap<string, string | null> = new Map(),
): Source {
  const { body } = called;
  const from = body.kind === 'query' ? relationOf(catalog, body.from) : undefined;
  if (from === undefined || body.kind !== 'query') throw new TypeError(`${called.name} is not a query`);
  const source = sourceOf(catalog, from);
  return { ...source, conditions: [...source.conditions, ...conditionsOn(from, source, body.where, args)] };
}
