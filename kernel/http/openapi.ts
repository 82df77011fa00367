/** The OpenAPI 3.1 document, built from the routes' schemas, and the page that shows it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Credential, Guard } from '../sdk/auth.js';
import type { Instance } from '../plan.js';
import { dialects } from '../providers/errors/dialects.js';
import type { Routes } from '../sdk/routes.js';

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer pb_...`' },
  management: { type: 'apiKey', in: 'cookie', name: 'plugboard_session', description: 'A management session, or an API key with the scope `manage`' },
  basicUser: { type: 'http', scheme: 'basic', description: 'Login and password of a user' },
  basicApp: { type: 'http', scheme: 'basic', description: 'Client id and client secret of an application' },
} as const satisfies Record<Credential, object>;

export async function addOpenApi(app: Routes, ownerOf: (scope: unknown) => Instance | undefined): Promise<void> {
  const owners = new WeakMap<object, Instance>();
  app.addHook('onRoute', function (route) {
    const owner = ownerOf(this);
    // swagger keeps the config object of a route, not the route itself.
    if (owner !== undefined) owners.set((route.config ??= {}), owner);
  });
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Plugboard', version: version() },
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    convertConstToEnum: false,
    transform: ({ schema, url, route }) => {
      const owner = owners.get(route.config ?? {});
      const dialect = owner?.definition.dialect ?? 'svc';
      const failure = (typeof dialect === 'string' ? dialects[dialect] : dialect).schema;
      const { response, ...request } = (schema ?? {}) as { response?: object };
      return {
        url,
        schema: {
          ...request,
          tags: [owner?.id ?? 'kernel'],
          hide: route.config?.hidden === true || owner === undefined,
          security: securityOf(route),
          response: { ...response, ...(failure && { default: { description: 'An error', ...failure } }) },
        },
      };
    },
  });
  await app.register(fastifySwaggerUi, { routePrefix: '/-/docs', uiConfig: { docExpansion: 'none' } });
  app.get('/-/openapi.json', { config: { hidden: true } }, () => (app as FastifyInstance).swagger());
}

/** The credentials of the route's guards; an optional guard also allows none. */
function securityOf(route: RouteOptions): Record<string, string[]>[] {
  const guards = [route.onRequest ?? []].flat().filter((hook): hook is Guard => 'credentials' in hook);
  return guards.flatMap((guard) => [...guard.credentials.map((name) => ({ [name]: [] })), ...(guard.optional ? [{}] : [])]);
}

function version(): string {
  const file = join(import.meta.dirname, '../../../package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
