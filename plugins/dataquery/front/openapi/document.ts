/** An OpenAPI 2.0 document of one schema, in the form that clients of such an API read. */
import type { CatalogFunction, Column, Relation, Schema } from '../../engine/catalog/model.js';
import type { Rights } from '../../engine/plan/rights.js';
import { allowedMethods } from '../../engine/write/target.js';
import { typeSchema } from './type-schema.js';

/** As a caller with these rights sees it. */
export function openApi(schema: Schema, rights: Rights, basePath: string): object {
  const relations = [...schema.relations.values()].flatMap((relation) => seenBy(rights, relation) ?? []);
  const functions = [...schema.functions.values()].flat();
  return {
    swagger: '2.0',
    info: {
      title: 'Data API',
      description: `The relations and functions of the schema ${schema.name}`,
      version: '1',
    },
    basePath: basePath === '' ? '/' : basePath,
    consumes: ['application/json', 'application/vnd.pgrst.object+json', 'text/csv'],
    produces: ['application/json', 'application/vnd.pgrst.object+json', 'text/csv'],
    paths: {
      '/': {
        get: { tags: ['Introspection'], summary: 'This document', responses: { 200: { description: 'OK' } } },
      },
      ...Object.fromEntries(
        relations.map((relation) => [`/${relation.name}`, relationPath(relation, rights)]),
      ),
      ...Object.fromEntries(
        functions.filter(isCallable).map((one) => [`/rpc/${one.name}`, functionPath(one)]),
      ),
    },
    definitions: Object.fromEntries(relations.map((relation) => [relation.name, definition(relation)])),
    parameters: Object.fromEntries([...PARAMETERS, ...relations.flatMap(relationParameters)]),
  };
}

/** Parameters that all relations share. */
const PARAMETERS: readonly [string, object][] = [
  ['select', query('select', 'Columns and embedded resources')],
  ['order', query('order', 'Order')],
  ['limit', query('limit', 'Limit')],
  ['offset', query('offset', 'Offset')],
  ['on_conflict', query('on_conflict', 'The columns of the key that an upsert meets')],
  ['range', { name: 'Range', in: 'header', type: 'string', description: 'The rows to return, from 0' }],
  [
    'prefer',
    {
      name: 'Prefer',
      in: 'header',
      type: 'string',
      description: 'count, return, resolution, missing, tx, ...',
    },
  ],
];

function query(name: string, description: string): object {
  return { name, in: 'query', type: 'string', required: false, description };
}

/** The relation with the columns that the caller may use at all; undefined without one. */
function seenBy(rights: Rights, relation: Relation): Relation | undefined {
  const granted = (['select', 'insert', 'update'] as const).map((command) =>
    rights.granted(relation, command),
  );
  if (granted.includes('*')) return relation;
  const names = new Set(granted.flat());
  if (names.size === 0 && !rights.mayDelete(relation)) return undefined;
  return { ...relation, columns: new Map([...relation.columns].filter(([name]) => names.has(name))) };
}

function maySend(rights: Rights, relation: Relation, method: string): boolean {
  if (method === 'delete') return rights.mayDelete(relation);
  const command = method === 'get' ? 'select' : method === 'patch' ? 'update' : 'insert';
  return rights.granted(relation, command).length > 0;
}

function relationPath(relation: Relation, rights: Rights): object {
  const { name, comment } = relation;
  const filters = [...relation.columns.keys()].map((column) => reference(filterName(relation, column)));
  const common = { tags: [name], ...(comment === undefined ? {} : { summary: comment }) };
  const rows = { type: 'array', items: { $ref: `#/definitions/${name}` } };
  const read = {
    ...common,
    parameters: [...filters, ...['select', 'order', 'limit', 'offset', 'range', 'prefer'].map(reference)],
    responses: { 200: { description: 'OK', schema: rows }, 206: { description: 'Partial Content' } },
  };
  const operations: Record<string, object> = {
    get: read,
    post: {
      ...common,
      parameters: [reference(`body.${name}`), ...['select', 'on_conflict', 'prefer'].map(reference)],
      responses: { 201: { description: 'Created' } },
    },
    patch: {
      ...common,
      parameters: [...filters, reference(`body.${name}`), reference('prefer')],
      responses: { 204: { description: 'No Content' } },
    },
    delete: {
      ...common,
      parameters: [...filters, reference('prefer')],
      responses: { 204: { description: 'No Content' } },
    },
  };
  const methods = allowedMethods(relation).toLowerCase().split(',');
  return Object.fromEntries(
    Object.entries(operations).filter(
      ([method]) => methods.includes(method) && maySend(rights, relation, method),
    ),
  );
}

function functionPath(called: CatalogFunction): object {
  const args = called.args.flatMap(({ name, type, optional }) =>
    'row' in type ? [] : [{ name, schema: typeSchema(type), required: !optional }],
  );
  const common = {
    tags: [`(rpc) ${called.name}`],
    ...(called.comment === undefined ? {} : { summary: called.comment }),
    responses: { 200: { description: 'OK' } },
  };
  const body = {
    type: 'object',
    required: args.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(args.map(({ name, schema }) => [name, schema])),
  };
  const parameters = args.map(({ name, schema, required }) => ({ name, in: 'query', required, ...schema }));
  const post = {
    ...common,
    parameters: [{ name: 'args', in: 'body', required: args.length > 0, schema: body }],
  };
  return called.volatile ? { post } : { get: { ...common, parameters }, post };
}

/** A function of a row is a column or a relationship, not callable. */
function isCallable({ args }: CatalogFunction): boolean {
  return args.every(({ type }) => !('row' in type));
}

function definition(relation: Relation): object {
  const columns = [...relation.columns.values()];
  const required = columns.filter((column) => isRequired(relation, column)).map(({ name }) => name);
  return {
    type: 'object',
    ...(relation.comment === undefined ? {} : { description: relation.comment }),
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(columns.map((column) => [column.name, property(relation, column)])),
  };
}

function property(relation: Relation, column: Column): object {
  const key = relation.primaryKey.includes(column.name) ? 'Note:\nThis is a Primary Key.<pk/>' : undefined;
  const foreign = relation.foreignKeys.find(
    ({ columns }) => columns.length === 1 && columns[0] === column.name,
  );
  const target = foreign?.references;
  const link =
    target === undefined
      ? undefined
      : `Note:\nThis is a Foreign Key to \`${target.relation}.${target.columns[0] ?? ''}\`.<fk table='${target.relation}' column='${target.columns[0] ?? ''}'/>`;
  const description = [column.comment, key, link].filter((part) => part !== undefined).join('\n\n');
  return {
    ...typeSchema(column.type),
    ...(column.values === undefined ? {} : { enum: column.values }),
    ...(column.default?.kind === 'value' && column.default.value !== null
      ? { default: JSON.parse(column.type.toJson(column.default.value)) as unknown }
      : {}),
    ...(column.generated ? { readOnly: true } : {}),
    ...(description === '' ? {} : { description }),
  };
}

function isRequired(relation: Relation, { name, required, generated }: Column): boolean {
  return !generated && (required || relation.primaryKey.includes(name));
}

function relationParameters(relation: Relation): [string, object][] {
  const body = {
    name: relation.name,
    in: 'body',
    required: false,
    schema: { $ref: `#/definitions/${relation.name}` },
  };
  const filters = [...relation.columns.values()].map((column): [string, object] => [
    filterName(relation, column.name),
    { ...query(column.name, 'A filter: operator.value'), format: column.type.name },
  ]);
  return [[`body.${relation.name}`, body], ...filters];
}

function filterName(relation: Relation, column: string): string {
  return `rowFilter.${relation.name}.${column}`;
}

function reference(name: string): object {
  return { $ref: `#/parameters/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` };
}
