/**
 * What a browser gets for an address without a route: a redirect from `/` to the route with `config: { home: true }`,
 * and elsewhere the page of the route with `config: { unknown: true }`.
 */
import type { Reply, Request, Routes } from '../../sdk/http/routes.js';

export interface Home {
  /** Undefined until such a route is mounted. */
  readonly path: string | undefined;
  /** Answers a browser's request without a route. False for other clients, which get a 404 in JSON. */
  answer(request: Request, reply: Reply): boolean;
}

export function findHome(app: Routes): Home {
  let path: string | undefined;
  let showUnknown: ((request: Request, reply: Reply) => void) | undefined;
  app.addHook('onRoute', ({ config, url, handler }) => {
    if (config?.home === true) path ??= url;
    if (config?.unknown === true) showUnknown ??= (request, reply) => void handler.call(app, request, reply);
  });
  return {
    get path() {
      return path;
    },
    answer(request, reply) {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (!isRead || !asksForHtml(request.headers.accept)) return false;
      const isRoot = /^\/(\?|$)/.test(request.url);
      const page = isRoot ? path : undefined;
      if (page === undefined && showUnknown === undefined) return false;
      // The answer depends on the client.
      void reply.header('vary', 'accept');
      if (page !== undefined) void reply.redirect(page);
      else showUnknown?.(request, reply.code(404));
      return true;
    },
  };
}

function asksForHtml(accept = ''): boolean {
  return accept.split(',').some((range) => range.split(';', 1)[0]?.trim().toLowerCase() === 'text/html');
}
