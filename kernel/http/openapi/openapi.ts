/** The routes of the OpenAPI document and its pages; both are made at their first request. */
import type { ErrorRenderer } from '../../sdk/http/errors.js';
import type { Routes } from '../../sdk/http/routes.js';
import { ownerOf } from '../routes/owner.js';
import type { ApiDocs } from './api-docs.js';
import type { OwnedRoute } from './document.js';

export function addOpenApi(app: Routes, renderer: ErrorRenderer): void {
  const routes: OwnedRoute[] = [];
  app.addHook('onRoute', function (route) {
    const owner = ownerOf(this)?.instance;
    if (owner !== undefined && route.method !== 'HEAD') routes.push({ owner, route });
  });
  const document = latest(
    () => routes.map(({ route }) => route.config?.operations?.()),
    async () => (await import('./document.js')).openApiDocument(routes, renderer),
  );
  let docs: Promise<ApiDocs> | undefined;
  const makeDocs = async (): Promise<ApiDocs> => (await import('./api-docs.js')).makeApiDocs(document);
  app.addHook('onClose', async () => (await docs)?.close());
  const config = { hidden: true };
  app.get('/-/openapi.json', { config }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(await document()),
  );
  // Relative, like the page's own links: a proxy may add a prefix unknown here.
  app.get('/-/docs', { config }, (_request, reply) => reply.redirect('./docs/'));
  app.get('/-/docs/*', { config }, async (request, reply) => {
    const page = await (await (docs ??= makeDocs())).page(request.url, request.headers);
    // A path that no file can have gets an error of its own.
    if (page.statusCode >= 400) return reply.callNotFound();
    // The listener decides whether to keep the connection.
    const { connection: _, ...headers } = page.headers;
    return reply
      .code(page.statusCode)
      .headers({ ...headers, 'content-security-policy': POLICY })
      .send(page.rawPayload);
  });
}

/** The page sets inline styles at run time, and its images are in its scripts. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Caches a value until one of its inputs is another object. */
function latest<T>(parts: () => readonly unknown[], make: () => Promise<T>): () => Promise<T> {
  let from: readonly unknown[] | undefined;
  let made: Promise<T>;
  return () => {
    const now = parts();
    if (from === undefined || now.some((part, at) => part !== from?.[at])) made = make();
    from = now;
    return made;
  };
}
