/** Where a browser that asks for `/` is sent: the page of the route that says `config: { home: true }`. */
import type { Reply, Request, Routes } from '../../sdk/routes.js';

export interface Home {
  /** Undefined until such a route is mounted. */
  readonly path: string | undefined;
  /**
   * Answers a request that has no route, if it is a browser's for `/`; other clients get a 404 in JSON. False: it is not.
   */
  redirect(request: Request, reply: Reply): boolean;
}

export function findHome(app: Routes): Home {
  let path: string | undefined;
  app.addHook('onRoute', ({ config, url }) => {
    if (config?.home === true) path ??= url;
  });
  return {
    get path() {
      return path;
    },
    redirect(request, reply) {
      if (path === undefined) return false;
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const isRoot = /^\/(\?|$)/.test(request.url);
      if (!isRead || !isRoot || !asksForHtml(request.headers.accept)) return false;
      // The answer to this address depends on who asks.
      void reply.header('vary', 'accept').redirect(path);
      return true;
    },
  };
}

function asksForHtml(accept = ''): boolean {
  return accept.split(',').some((range) => range.split(';', 1)[0]?.trim().toLowerCase() === 'text/html');
}
