/** The OpenAPI 3.1 document: the routes' own schemas, in a form that client generators understand. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RouteOptions } from 'fastify';
import type { Instance } from '../../boot/plan/order.js';
import type { Guard, SecurityScheme } from '../../sdk/services/auth.js';
import type { ErrorRenderer } from '../../sdk/http/errors.js';
import type { RouteOperation } from '../../sdk/http/routes.js';
import { inTurns } from '../../sdk/kit/turns.js';
import { dialectAt } from '../routes/dialect-at.js';
import { OpenApiComponents } from './components.js';
import { describeOperation, REST } from './operation.js';
import { OperationIds } from './operation-ids.js';

/** A route of a plugin. */
export interface OwnedRoute {
  readonly owner: Instance;
  readonly route: RouteOptions;
}

/** As JSON, in bytes, so that answers need not encode half a megabyte again. Made in turns of the event loop. */
export async function openApiDocument(
  routes: readonly OwnedRoute[],
  renderer: ErrorRenderer,
): Promise<Buffer> {
  return Buffer.from(await inTurns(documentText(routes, renderer)));
}

/** Yields after each operation. */
function* documentText(routes: readonly OwnedRoute[], renderer: ErrorRenderer): Generator<undefined, string> {
  const schemes: Record<string, SecurityScheme> = {};
  const tags = new Map<string, string | undefined>();
  const ids = new OperationIds();
  const components = new OpenApiComponents();
  const paths = new Map<string, string[]>();
  for (const { owner, route } of routes) {
    if (route.config?.hidden === true) continue;
    const guards = guardsOf(route);
    for (const guard of guards) Object.assign(schemes, guard.schemes);
    tags.set(owner.id, owner.definition.summary);
    for (const { method, path, schema } of operationsOf(route, owner.prefix)) {
      const failure = renderer.schema(dialectAt(owner, path));
      const about = describeOperation(schema, { tag: owner.id, path, guards, failure }, components);
      const operations = paths.get(path) ?? [];
      paths.set(path, operations);
      const { operationId: given } = schema;
      const operationId = ids.take({ owner: owner.id, path: path.slice(owner.prefix.length), given, method });
      operations.push(`"${method.toLowerCase()}":${JSON.stringify({ operationId, ...about })}`);
      yield;
    }
  }
  const head = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Plugboard', version: version() },
    servers: [{ url: '/', description: 'The server that answers this document' }],
    tags: Array.from(tags, ([name, description]) => ({ name, description })),
    components: { securitySchemes: schemes, schemas: components.schemas },
  });
  const body = Array.from(paths, ([path, operations]) => `${JSON.stringify(path)}:{${operations.join(',')}}`);
  return `${head.slice(0, -1)},"paths":{${body.join(',')}}}`;
}

/** The operations of a route: one for each of its methods, or those that it declares. */
function operationsOf({ config, method, url, schema = {} }: RouteOptions, prefix: string): RouteOperation[] {
  if (config?.operations !== undefined)
    return config.operations().map((one) => ({ ...one, path: `${prefix}${one.path}` }));
  return [method].flat().map((each) => ({ method: each, path: pathOf(url), schema }));
}

/**
 * `/notes/:id` is `/notes/{id}`, and `*` is `{rest}`, as client generators need a name; the root of a prefix answers
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
