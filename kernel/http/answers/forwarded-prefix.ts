/** Adds the path prefix of a proxy (`X-Forwarded-Prefix`) to `Location`. */
import { PREFIX } from '../../config/shape.js';
import type { Request, Routes } from '../../sdk/http/routes.js';

/** Characters. */
const LONGEST = 200;

/** `believes`: whether the server trusts proxies at all. */
export function addForwardedPrefix(app: Routes, believes: boolean): void {
  app.decorateRequest('forwardedPrefix', {
    getter() {
      return prefixOf(this);
    },
  });
  if (!believes) return;
  app.addHook('onSend', (request, reply, payload, done) => {
    const location = reply.getHeader('location');
    if (typeof location === 'string' && /^\/(?!\/)/.test(location))
      void reply.header('location', `${request.forwardedPrefix}${location}`);
    done(null, payload);
  });
}

/** The `/` of a proxy at the root is no prefix. */
function prefixOf({ headers, ips = [] }: Request): string {
  const prefix = headers['x-forwarded-prefix'];
  // The first is the connection's own address; a trusted proxy adds a second.
  if (typeof prefix !== 'string' || prefix.length > LONGEST || ips.length < 2) return '';
  const path = prefix.replace(/\/$/, '');
  return path !== '' && SHAPE.test(path) ? path : '';
}

const SHAPE = new RegExp(PREFIX);
