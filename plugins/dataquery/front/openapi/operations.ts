/** The relations and functions of the catalog in force in the server's OpenAPI document: a path for each. */
import type { RouteOperation } from 'plugboard/sdk';
import { oncePer } from '../../engine/base/once-per.js';
import type { Catalog, Relation, Schema } from '../../engine/catalog/model.js';
import { allowedMethods } from '../../engine/write/target.js';
import { changeSchema, newRowSchema, rowsSchema } from './row-schema.js';
import { described, profileHeaders, text } from './parameters.js';
import { functionOperations } from './function-operations.js';

type Json = Readonly<Record<string, unknown>>;
export interface CatalogOperations {
  readonly reads: readonly RouteOperation[];
  /** Read-only functions, by POST. */
  readonly calls: readonly RouteOperation[];
  readonly writes: readonly RouteOperation[];
}

/** If several schemas have a name, the first is shown: the others have the same path. */
export const catalogOperations = oncePer((catalog: Catalog): CatalogOperations => {
  const operations = new Map<string, RouteOperation>();
  for (const [at, name] of catalog.exposed.entries()) {
    const schema = catalog.schemas.get(name);
    if (schema === undefined) continue;
    const profile = at === 0 ? undefined : name;
    for (const one of schemaOperations(schema, catalog, profile)) {
      const key = `${one.method} ${one.path}`;
      if (!operations.has(key)) operations.set(key, one);
    }
  }
  const all = [...operations.values()];
  const isCall = ({ method, path }: RouteOperation): boolean =>
    method === 'POST' && path.startsWith('/rpc/') && operations.has(`GET ${path}`);
  return {
    reads: all.filter(({ method }) => method === 'GET'),
    calls: all.filter(isCall),
    writes: all.filter((one) => one.method !== 'GET' && !isCall(one)),
  };
});

function* schemaOperations(
  { relations, functions }: Schema,
  catalog: Catalog,
  profile: string | undefined,
): Generator<RouteOperation> {
  for (const relation of relations.values()) yield* relationOperations(relation, profile);
  for (const overloads of functions.values()) yield* functionOperations(overloads, catalog, profile);
}

function relationOperations(relation: Relation, profile: string | undefined): RouteOperation[] {
  const { name, comment } = relation;
  const path = `/${encodeURIComponent(name)}`;
  const rows = rowsSchema(relation);
  const filters = Object.fromEntries(
    Array.from(relation.columns, ([column, { type }]) => [
      column,
      text(`A filter of ${type.name}: an operator, a dot and a value`, 'eq.1'),
    ]),
  );
  const conditions = { ...filters, ...GROUPS };
  const select = text('Columns and related rows; all columns by default', '*');
  const shared = { ...described(comment), headers: profileHeaders('Accept-Profile', profile) };
  const written = { ...described(comment), headers: profileHeaders('Content-Profile', profile) };
  const returned = { 200: { ...rows, description: 'The rows, with `Prefer: return=representation`' } };
  const operations: Record<string, Json> = {
    GET: {
      ...shared,
      summary: `Read rows of ${name}`,
      querystring: parameters({ ...conditions, ...PAGES, select }),
      response: {
        200: { ...rows, description: 'The rows' },
        206: { ...rows, description: 'A part of the rows, as `Prefer: count=exact` tells' },
      },
    },
    POST: {
      ...written,
      summary: `Insert rows into ${name}`,
      querystring: parameters({
        select,
        columns: text('The columns to insert; the others get their defaults'),
        on_conflict: text('The columns of the unique key that `Prefer: resolution=...` is about'),
      }),
      body: { anyOf: [newRowSchema(relation), { type: 'array', items: newRowSchema(relation) }] },
      response: {
        201: { type: 'null', description: 'Inserted; the rows with `Prefer: return=representation`' },
      },
    },
    PUT: {
      ...written,
      summary: `Insert or replace one row of ${name}, which the filters name by its key`,
      querystring: parameters({ ...filters, select }),
      body: newRowSchema(relation),
      response: {
        201: { type: 'null', description: 'Inserted' },
        204: { type: 'null', description: 'Replaced' },
        ...returned,
      },
    },
    PATCH: {
      ...written,
      summary: `Update the rows of ${name} that the filters find; all of them without a filter`,
      querystring: parameters({ ...conditions, ...PAGES, select }),
      body: changeSchema(relation),
      response: { 204: { type: 'null', description: 'Updated' }, ...returned },
    },
    DELETE: {
      ...written,
      summary: `Delete the rows of ${name} that the filters find; all of them without a filter`,
      querystring: parameters({ ...conditions, ...PAGES, select }),
      response: { 204: { type: 'null', description: 'Deleted' }, ...returned },
    },
  };
  const allowed = allowedMethods(relation).split(',');
  return Object.entries(operations).flatMap(([method, schema]) =>
    allowed.includes(method) ? [{ method, path, schema }] : [],
  );
}

/** Also if a column has such a name: the name is the group's. */
const GROUPS = {
  or: text('Filters of which one holds; `not.or` negates them', '(id.eq.1,id.eq.2)'),
  and: text('Filters that all hold; `not.and` negates them', '(id.gt.1,id.lt.9)'),
};

const PAGES = {
  order: text('Columns with `.asc` or `.desc`, and `.nullsfirst` or `.nullslast`', 'id.desc'),
  limit: { type: 'integer', minimum: 0, description: 'The most rows to answer' },
  offset: { type: 'integer', minimum: 0, description: 'How many rows to skip' },
};

function parameters(properties: Json): object {
  return { type: 'object', properties };
}
