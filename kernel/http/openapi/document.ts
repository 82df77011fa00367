/**
 * The OpenAPI 3.1 document. Schemas stand inline, those of requests and of answers apart: what has a default need not be
 * sent, and is always answered.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RouteOptions } from 'fastify';
import { modernSchema, withoutNeedlessRequired } from '../../config/json-schema.js';
import type { Instance } from '../../boot/plan/order.js';
import type { Guard, SecurityScheme } from '../../sdk/auth.js';
import type { ErrorRenderer } from '../../sdk/errors.js';
import { inTurns } from '../../sdk/kit/turns.js';
import { dialectAt } from '../routes/dialect-at.js';
import { OperationIds } from './operation-ids.js';

/** A route of a plugin. */
export interface OwnedRoute {
  readonly owner: Instance;
  readonly route: RouteOptions;
}

type Json = Readonly<Record<string, unknown>>;
interface ObjectSchema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Json>>;
}
interface Schemas {
  readonly summary?: string;
  readonly description?: string;
  readonly operationId?: string;
  readonly deprecated?: boolean;
  readonly querystring?: ObjectSchema;
  readonly params?: ObjectSchema;
  readonly headers?: ObjectSchema;
  readonly body?: Json;
  readonly response?: Readonly<Record<string, Json>>;
}

/** As JSON, in bytes, so that no answer turns half a megabyte of text into them again. Made in turns of the event loop. */
export async function openApiDocument(
  routes: readonly OwnedRoute[],
  renderer: ErrorRenderer,
): Promise<Buffer> {
  return Buffer.from(await inTurns(documentText(routes, renderer)));
}

/** Yields after each route. */
function* documentText(routes: readonly OwnedRoute[], renderer: ErrorRenderer): Generator<undefined, string> {
  const schemes: Record<string, SecurityScheme> = {};
  const tags = new Map<string, string | undefined>();
  const ids = new OperationIds();
  const paths = new Map<string, string[]>();
  for (const { owner, route } of routes) {
    if (route.config?.hidden === true) continue;
    for (const guard of guardsOf(route)) Object.assign(schemes, guard.schemes);
    const path = pathOf(route.url);
    tags.set(owner.id, owner.definition.summary);
    const failure = renderer.schema(dialectAt(owner, path));
    const about = operation(route, owner.id, path, failure);
    const operations = paths.get(path) ?? [];
    paths.set(path, operations);
    const { operationId: given } = (route.schema ?? {}) as Schemas;
    const named = { owner: owner.id, path: path.slice(owner.prefix.length), given };
    for (const method of [route.method].flat()) {
      const text = JSON.stringify({ operationId: ids.take({ ...named, method }), ...about }, asMap);
      operations.push(`"${method.toLowerCase()}":${text}`);
    }
    yield;
  }
  const head = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Plugboard', version: version() },
    servers: [{ url: '/', description: 'The server that answers this document' }],
    tags: Array.from(tags, ([name, description]) => ({ name, description })),
    components: { securitySchemes: schemes },
  });
  const body = Array.from(paths, ([path, operations]) => `${JSON.stringify(path)}:{${operations.join(',')}}`);
  return `${head.slice(0, -1)},"paths":{${body.join(',')}}}`;
}

function operation({ schema, ...route }: RouteOptions, owner: string, path: string, failure?: object): Json {
  const { summary, description, deprecated, ...schemas } = (schema ?? {}) as Schemas;
  const { querystring, headers, body, response } = schemas;
  const params = schemas.params ?? { properties: Object.fromEntries(namesIn(path)) };
  const parameters = [
    ...parametersOf('query', querystring),
    ...parametersOf('path', params),
    ...parametersOf('header', headers),
  ];
  const responses = { ...response, ...(failure && { default: { description: 'An error', ...failure } }) };
  return {
    summary,
    description,
    deprecated,
    tags: [owner],
    security: guardsOf(route as RouteOptions).flatMap(({ security }) => security),
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: body && { required: true, content: asJson(withoutNeedlessRequired(modernSchema(body))) },
    responses: Object.fromEntries(
      Object.entries<Json>(responses).map(([status, one]) => [
        status === 'default' ? status : status.toUpperCase(),
        responseOf(one),
      ]),
    ),
  };
}

/** Generators of clients know a map by `additionalProperties` alone. */
function asMap(_key: string, value: unknown): unknown {
  const { patternProperties, ...schema } = (value ?? {}) as { patternProperties?: Json };
  const values = patternProperties?.['^.*$'];
  return values === undefined ? value : { ...schema, additionalProperties: values };
}

/** The name of what a wildcard takes. */
const REST = 'rest';

function* namesIn(path: string): Generator<[string, Json]> {
  for (const [, name = ''] of path.matchAll(/\{([^{}]*)\}/g)) yield [name, { type: 'string' }];
}

/** A parameter with a default is always there for the route, but the caller need not send it. */
function parametersOf(
  place: 'query' | 'path' | 'header',
  { properties = {}, required = [] }: ObjectSchema = {},
): Json[] {
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    in: place,
    name: name === '*' ? REST : name,
    description,
    required: place === 'path' || (required.includes(name) && schema['default'] === undefined),
    schema: modernSchema(schema),
  }));
}

/** A schema, or one for each content type under `content`; `headers` beside it. */
function responseOf({ headers, content, ...schema }: Json): Json {
  const { type, description = 'Default Response' } = schema;
  return {
    description,
    headers:
      headers &&
      Object.fromEntries(
        Object.entries(headers as Record<string, Json>).map(([name, { description: about, ...of }]) => [
          name,
          { description: about, schema: of },
        ]),
      ),
    content: content ?? (type === 'null' ? undefined : asJson(modernSchema(schema))),
  };
}

function asJson(schema: Json): Json {
  return { 'application/json': { schema } };
}

/**
 * `/notes/:id` is `/notes/{id}`, and `*` is `{rest}`, as generators of clients want a word; the root of a prefix answers
 * with and without the slash.
 */
function pathOf(url: string): string {
  const path = url.length > 1 && url.endsWith('/') ? url.slice(0, -1) : url;
  return path.replaceAll(/:(\w+)(?:\([^)]*\))?|\*/g, (_all, name?: string) => `{${name ?? REST}}`);
}

function guardsOf(route: RouteOptions): Guard[] {
  return [route.onRequest ?? []].flat().filter((hook): hook is Guard => 'schemes' in hook);
}

function version(): string {
  const file = join(import.meta.dirname, '../../../../package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
