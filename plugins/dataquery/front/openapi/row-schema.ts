/** A relation's rows as JSON Schema: as returned, inserted and changed. */
import type { Column, Relation } from '../../engine/catalog/model.js';
import { exampleOf } from './example.js';
import { typeSchema } from './type-schema.js';

/** Requires no column, as `select` may leave out any. */
export function rowSchema(relation: Relation): object {
  return {
    title: `${titleOf(relation)}Row`,
    type: 'object',
    ...(relation.comment !== undefined && { description: relation.comment }),
    properties: properties(relation, [...relation.columns.values()]),
  };
}

export function rowsSchema(relation: Relation): object {
  return { type: 'array', items: rowSchema(relation) };
}

/** Requires the columns that are not null and have no default. */
export function newRowSchema(relation: Relation): object {
  const columns = writable(relation);
  const required = columns.filter((column) => isNotNull(relation, column) && column.default === undefined);
  return {
    title: `${titleOf(relation)}Row`,
    type: 'object',
    required: required.map(({ name }) => name),
    properties: properties(relation, columns),
    examples: [exampleOf(required.length > 0 ? required : columns.slice(0, 2))],
  };
}

export function changeSchema(relation: Relation): object {
  const columns = writable(relation);
  return {
    title: `${titleOf(relation)}Change`,
    type: 'object',
    properties: properties(relation, columns),
    examples: [exampleOf(columns.filter(({ name }) => !relation.primaryKey.includes(name)).slice(0, 2))],
  };
}

function isNotNull({ primaryKey }: Relation, { name, required }: Column): boolean {
  return required || primaryKey.includes(name);
}

function writable({ columns }: Relation): Column[] {
  return [...columns.values()].filter(({ generated }) => !generated);
}

function properties(relation: Relation, columns: readonly Column[]): object {
  return Object.fromEntries(
    columns.map((column) => {
      const schema: { readonly type?: string } = typeSchema(column.type);
      const nulls = isNotNull(relation, column) ? [] : [null];
      return [
        column.name,
        {
          ...schema,
          ...(schema.type !== undefined && nulls.length > 0 && { type: [schema.type, 'null'] }),
          ...(column.values !== undefined && { enum: [...column.values, ...nulls] }),
          ...(column.comment !== undefined && { description: column.comment }),
        },
      ];
    }),
  );
}

/** `film_roles` is `FilmRoles`. */
function titleOf({ name }: Relation): string {
  const words = name.match(/[A-Za-z0-9]+/g) ?? [];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
