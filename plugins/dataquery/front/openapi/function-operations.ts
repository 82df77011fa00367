/** Functions of the catalog as operations of the OpenAPI document. */
import type { RouteOperation } from 'plugboard/sdk';
import { relationOf, type Catalog, type CatalogFunction } from '../../engine/catalog/model.js';
import { exampleOf } from './example.js';
import { described, profileHeaders } from './parameters.js';
import { rowSchema } from './row-schema.js';
import { typeSchema } from './type-schema.js';

type Json = Readonly<Record<string, unknown>>;

/** The functions of one name; `profile` as `profileHeaders` takes it. */
export function functionOperations(
  functions: readonly CatalogFunction[],
  catalog: Catalog,
  profile: string | undefined,
): RouteOperation[] {
  const overloads = functions.filter(isCallable);
  const [first] = overloads;
  if (first === undefined) return [];
  const path = `/rpc/${encodeURIComponent(first.name)}`;
  const about = { summary: `Call ${first.name}`, ...described(first.comment) };
  const bodies = overloads.map(argumentsSchema);
  const response = responseOf(first.returns, catalog);
  const post = {
    ...about,
    headers: profileHeaders('Content-Profile', profile),
    body: bodies.length === 1 ? bodies[0] : { anyOf: bodies },
    response,
  };
  if (overloads.some(({ volatile }) => volatile)) return [{ method: 'POST', path, schema: post }];
  const properties = Object.assign({}, ...bodies.map((body) => body.properties)) as Json;
  const required = bodies.length === 1 ? (bodies[0]?.required ?? []) : [];
  const get = {
    ...about,
    headers: profileHeaders('Accept-Profile', profile),
    querystring: { type: 'object', properties, required },
    response,
  };
  return [
    { method: 'GET', path, schema: get },
    { method: 'POST', path, schema: post },
  ];
}

function argumentsSchema({ args }: CatalogFunction) {
  const scalars = args.flatMap(({ type, ...arg }) => ('row' in type ? [] : [{ ...arg, type }]));
  return {
    type: 'object',
    required: scalars.filter(({ optional }) => !optional).map(({ name }) => name),
    properties: Object.fromEntries(scalars.map(({ name, type }) => [name, typeSchema(type)])),
    examples: [exampleOf(scalars)],
  };
}

function responseOf(returns: CatalogFunction['returns'], catalog: Catalog): Json {
  if (returns.kind === 'void') return { 204: { type: 'null', description: 'Done' } };
  const relation = returns.kind === 'row' ? relationOf(catalog, returns.relation) : undefined;
  const one: object =
    returns.kind === 'scalar' ? typeSchema(returns.type) : relation === undefined ? {} : rowSchema(relation);
  return {
    200: returns.set
      ? { type: 'array', items: one, description: 'The values' }
      : { description: 'The value', ...one },
  };
}

/** A function of a row is a column or a relationship, not callable. */
function isCallable({ args }: CatalogFunction): boolean {
  return args.every(({ type }) => !('row' in type));
}
