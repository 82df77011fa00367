/** The relation that a path names. */
import type { Catalog, Relation } from '../../engine/catalog/model.js';
import { errors } from '../../engine/base/errors.js';
import { mostSimilar } from '../../engine/base/similar.js';

/** Throws SVC205, with the name that was probably meant. */
export function findRelation(catalog: Catalog, schema: string, name: string): Relation {
  const relations = catalog.schemas.get(schema)?.relations;
  const relation = relations?.get(name);
  if (relation !== undefined) return relation;
  const near = mostSimilar(relations?.keys() ?? [], name, 0.75);
  throw errors.SVC205({
    values: { schema, relation: name },
    hint: near === undefined ? null : `Perhaps you meant the table '${schema}.${near}'`,
  });
}
