/** The console over HTTP: one document for all its addresses, its files, and the list of pages. */
import type { Auth, Pages, Reply, Request, Routes } from 'plugboard/sdk';
import type { Built } from './built.js';
import { sendBuilt, sendPageFile } from './files.js';
import { makeDocument } from './html.js';
import { PageList, pagesFor } from './page-list.js';

export interface RouteParts {
  readonly auth: Auth;
  readonly built: Built;
  readonly pages: Pages;
  /** The prefix of this instance's routes. */
  readonly prefix: string;
}

export function routes(app: Routes, { auth, built, pages, prefix }: RouteParts): void {
  const hidden = { hidden: true };

  const document = (request: Request, reply: Reply): Reply => {
    const root = request.forwardedPrefix;
    const { html, policy } = makeDocument(built, { base: `${root}${prefix}/console/`, root });
    return reply
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(html);
  };
  app.get('/console', { config: { hidden: true, home: true, unknown: true } }, document);
  app.get('/console/*', { config: hidden }, document);
  app.get('/keys', { config: hidden }, (_request, reply) => reply.redirect(`${prefix}/console/auth/keys`));

  app.get<{ Params: { '*': string } }>('/console/assets/*', { config: hidden }, async (request, reply) =>
    (await sendBuilt(built, `assets/${request.params['*']}`, request, reply)) ? reply : reply.callNotFound(),
  );

  app.get<{ Params: { plugin: string; page: string; '*': string } }>(
    '/console/pages/:plugin/:page/*',
    { config: hidden },
    async (request, reply) => {
      const { plugin, page: id, '*': path } = request.params;
      const page = pages.list().find((one) => one.plugin === plugin && one.id === id);
      const sent = page !== undefined && (await sendPageFile(page, path, request, reply));
      return sent ? reply : reply.callNotFound();
    },
  );

  app.get(
    '/console/pages',
    {
      onRequest: auth.guard('management', { members: true }),
      schema: {
        summary: 'List the pages that the caller may see',
        tags: ['Console'],
        response: { 200: PageList },
      },
    },
    (request, reply) => {
      void reply.header('cache-control', 'no-store');
      return { pages: pagesFor(auth.principal(request), pages.list(), { auth, built }) };
    },
  );
}
