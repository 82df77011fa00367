/** The OpenAPI 3.1 document, built from the routes' schemas, and the page that shows it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyReply, RouteOptions } from 'fastify';
import type { Guard, SecurityScheme } from '../sdk/auth.js';
import type { Instance } from '../plan.js';
import type { ErrorRenderer } from '../sdk/errors.js';
import type { Routes } from '../sdk/routes.js';

export async function addOpenApi(
  app: Routes,
  ownerOf: (scope: unknown) => Instance | undefined,
  renderer: ErrorRenderer,
): Promise<void> {
  const owners = new WeakMap<object, Instance>();
  const schemes: Record<string, SecurityScheme> = {};
  app.addHook('onRoute', function (route) {
    const owner = ownerOf(this);
    // swagger keeps the config object of a route, not the route itself.
    if (owner !== undefined) owners.set((route.config ??= {}), owner);
    for (const guard of guardsOf(route)) Object.assign(schemes, guard.schemes);
  });
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Plugboard', version: version() },
      // Filled as routes are mounted, which is after this registration.
      components: { securitySchemes: schemes as never },
    },
    convertConstToEnum: false,
    transform: ({ schema, url, route }) => {
      const owner = owners.get(route.config ?? {});
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
  // Made once: the routes stand when the server is ready, and writing the document down takes tens of milliseconds.
  // In bytes, so that no answer turns half a megabyte of text into them again.
  let bytes: Buffer | undefined;
  const document = (): Buffer => (bytes ??= Buffer.from(JSON.stringify(app.swagger())));
  await app.register(async (docs) => {
    // No file has such a name, and the file system throws an error for it.
    docs.addHook('onRequest', (request, reply, done) => {
      if (request.url.includes('%00')) reply.callNotFound();
      else done();
    });
    docs.addHook('preHandler', async (request, reply) => {
      const { url } = request.routeOptions;
      if (url === '/-/docs/json') return sendJson(reply, document());
      // JSON is YAML, too.
      if (url === '/-/docs/yaml') return reply.type('application/x-yaml').send(document());
      return undefined;
    });
    await docs.register(fastifySwaggerUi, {
      routePrefix: '/-/docs',
      uiConfig: { docExpansion: 'none' },
      theme: {
        title: 'Plugboard',
        css: [{ filename: 'plain.css', content: '.swagger-ui .topbar { display: none }' }],
      },
    });
  });
  app.get('/-/openapi.json', { config: { hidden: true } }, async (_request, reply) =>
    sendJson(reply, document()),
  );
}

function sendJson(reply: FastifyReply, body: Buffer): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(body);
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
