/** The pages that show the OpenAPI document. */
import type { IncomingHttpHeaders } from 'node:http';
import fastifySwaggerUi, { type FastifySwaggerUiOptions } from '@fastify/swagger-ui';
import { fastify, type FastifyPluginAsync, type LightMyRequestResponse } from 'fastify';

export interface ApiDocs {
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

/** In a server of their own, which does not listen. */
export async function makeApiDocs(document: () => Promise<Buffer>): Promise<ApiDocs> {
  const app = fastify({ exposeHeadRoutes: false });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (body) => JSON.stringify(body));
  // JSON is also YAML.
  app.addHook('preHandler', async ({ routeOptions: { url } }, reply) => {
    if (url === '/-/docs/json') return reply.type('application/json; charset=utf-8').send(await document());
    if (url === '/-/docs/yaml') return reply.type('application/x-yaml').send(await document());
    return undefined;
  });
  // As a plugin it would require a document made by @fastify/swagger.
  await app.register((scope) =>
    (fastifySwaggerUi as unknown as FastifyPluginAsync<FastifySwaggerUiOptions>)(scope, UI),
  );
  await app.ready();
  return {
    page: (url, headers) => app.inject({ url, headers }),
    close: () => app.close(),
  };
}
