/**
 * Which member of a stored row holds a column. It is the column's name at first; a column that was renamed keeps its
 * member, so that no row is rewritten, and one whose type changed gets another member beside the old one.
 */
import type { Catalog, Relation } from '../catalog/model.js';

/** By relation (`schema.name`) and column, where it is another one than the column's own. */
export type Fields = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Columns that are no longer declared and whose values are kept: one of the same name and type has them again. */
export type Retired = Readonly<
  Record<string, Readonly<Record<string, { readonly field: string; readonly type: string }>>>
>;

export function relationKey({ schema, name }: Pick<Relation, 'schema' | 'name'>): string {
  return `${schema}.${name}`;
}

/** The catalog with the members that its rows have. */
export function withFields(catalog: Catalog, fields: Fields): Catalog {
  if (Object.keys(fields).length === 0) return catalog;
  const schemas = new Map(
    [...catalog.schemas].map(([name, schema]) => {
      const relations = new Map(
        [...schema.relations].map(([key, relation]) => [key, relationWith(relation, fields)]),
      );
      return [name, { ...schema, relations }];
    }),
  );
  return { ...catalog, schemas };
}

function relationWith(relation: Relation, fields: Fields): Relation {
  const own = fields[relationKey(relation)];
  if (own === undefined) return relation;
  const columns = [...relation.columns].map(([name, column]) => {
    const field = Object.hasOwn(own, name) ? own[name] : undefined;
    return [name, field === undefined ? column : { ...column, field }] as const;
  });
  return { ...relation, columns: new Map(columns) };
}
