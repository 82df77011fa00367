/** The OpenAPI 3.1 document, built from the routes' schemas, and the pages that show it. */
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi, { type FastifySwaggerUiOptions } from '@fastify/swagger-ui';
import { fastify, type LightMyRequestResponse, type RouteOptions } from 'fastify';
import type { Guard, SecurityScheme } from '../sdk/auth.js';
import type { ErrorRenderer } from '../sdk/errors.js';
import type { OwnedRoute } from './openapi.js';

export interface ApiDocs {
  /** In bytes, so that no answer turns half a megabyte of text into them again. */
  readonly document: Buffer;
  /** The answer for a path of the pages. */
  page(url: string, headers: IncomingHttpHeaders): Promise<LightMyRequestResponse>;
  close(): Promise<void>;
}

const UI: FastifySwaggerUiOptions = {
  routePrefix: '/-/docs',
  uiConfig: { docExpansion: 'none' },
  theme: {
    title: 'Plugboard',
    css: [{ filename: 'plain.css', content: '.swagger-ui .topbar { display: none }' }],
  },
};

/** To add one takes a fraction of a millisecond. */
const ROUTES_IN_A_TURN = 20;

/** In a server of their own, which does not listen and whose routes nobody calls. */
export async function makeApiDocs(routes: readonly OwnedRoute[], renderer: ErrorRenderer): Promise<ApiDocs> {
  const app = fastify({ exposeHeadRoutes: false });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (body) => JSON.stringify(body));
  const owners = new Map(routes.map(({ route, owner }) => [route.config, owner]));
  const schemes: Record<string, SecurityScheme> = {};
  for (const { route } of routes) for (const guard of guardsOf(route)) Object.assign(schemes, guard.schemes);
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Plugboard', version: version() },
      components: { securitySchemes: schemes as never },
    },
    convertConstToEnum: false,
    transform: ({ schema, url, route }) => {
      const owner = owners.get(route.config);
      const failure = renderer.schema(owner?.definition.dialect ?? 'svc');
      const { response, querystring, ...request } = (schema ?? {}) as {
        response?: object;
        querystring?: ObjectSchema;
      };
      return {
        // The root of a prefix answers with and without the slash.
        url: url.length > 1 && url.endsWith('/') ? url.slice(0, -1) : url,
        schema: {
          ...request,
          ...(querystring && { querystring: withoutDefaulted(querystring) }),
          tags: [owner?.id ?? 'kernel'],
          hide: route.config?.hidden === true || owner === undefined,
          security: securityOf(route),
          response: { ...response, ...(failure && { default: { description: 'An error', ...failure } }) },
        },
      };
    },
  });
  // JSON is YAML, too.
  app.addHook('preHandler', async ({ routeOptions: { url } }, reply) => {
    if (url === '/-/docs/json') return reply.type('application/json; charset=utf-8').send(document);
    if (url === '/-/docs/yaml') return reply.type('application/x-yaml').send(document);
    return undefined;
  });
  await app.register(fastifySwaggerUi, UI);
  for (const [at, { route }] of routes.entries()) {
    app.route({ ...route, handler: () => {} });
    if (at % ROUTES_IN_A_TURN === 0) await nextTurn();
  }
  await app.ready();
  await nextTurn();
  const document = Buffer.from(JSON.stringify(app.swagger()));
  return {
    document,
    page: (url, headers) => app.inject({ url, headers }),
    close: () => app.close(),
  };
}

interface ObjectSchema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, { readonly default?: unknown }>>;
}

/** A parameter with a default is always there for the route, but the caller need not send it. */
function withoutDefaulted(schema: ObjectSchema): ObjectSchema {
  const required = (schema.required ?? []).filter((name) => schema.properties?.[name]?.default === undefined);
  return { ...schema, required };
}

function securityOf(route: RouteOptions): Record<string, string[]>[] {
  return guardsOf(route).flatMap(({ security }) => structuredClone(security) as Record<string, string[]>[]);
}

function guardsOf(route: RouteOptions): Guard[] {
  return [route.onRequest ?? []].flat().filter((hook): hook is Guard => 'schemes' in hook);
}

function version(): string {
  const file = join(import.meta.dirname, '../../../package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
