/** Where a browser that asks for `/` is sent: the page of the route that says `config: { home: true }`. */
import type { Routes } from '../sdk/routes.js';

export interface Home {
  /** Undefined until such a route is mounted. */
  readonly path: string | undefined;
}

/** Only browsers, and only where no plugin has a route for `/`; other clients get a 404 in JSON. */
export function sendBrowsersHome(app: Routes): Home {
  let path: string | undefined;
  app.addHook('onRoute', ({ config, url }) => {
    if (config?.home === true) path ??= url;
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (path === undefined || !request.is404) return done();
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isRoot = /^\/(\?|$)/.test(request.url);
    if (!isRead || !isRoot || !asksForHtml(request.headers.accept)) return done();
    // The answer to this address depends on who asks.
    void reply.header('vary', 'accept').redirect(path);
  });
  return {
    get path() {
      return path;
    },
  };
}

function asksForHtml(accept = ''): boolean {
  return accept.split(',').some((range) => range.split(';', 1)[0]?.trim().toLowerCase() === 'text/html');
}
