/** Protects calls with a cookie against cross-site request forgery. */
import { createHmac } from 'node:crypto';
import { constantTimeEqual, type Request } from 'plugboard/sdk';
import { errors } from '../errors.js';

/** Cookies travel with every request, also from other sites' pages: the request must prove its origin. */
export function refuseForgery(request: Request, sessionToken: string): void {
  if (!changesState(request) || checkOrigin(request) === 'same' || holdsCsrfToken(request, sessionToken))
    return;
  throw errors.cross_origin();
}

export type OriginCheck = 'same' | 'other' | 'absent';

/**
 * Compares the host and port of `Origin` with those that the client addressed. The scheme is ignored: a proxy in front
 * of the server may end TLS.
 */
export function checkOrigin(request: Request): OriginCheck {
  const { origin } = request.headers;
  if (origin === undefined) return 'absent';
  // Browsers send "null" for documents without an origin, e.g. sandboxed frames.
  if (!URL.canParse(origin)) return 'other';
  const sender = new URL(origin);
  const own = `${sender.protocol}//${request.host}`;
  return URL.canParse(own) && new URL(own).host === sender.host ? 'same' : 'other';
}

/** GET, HEAD and OPTIONS change nothing (RFC 9110 9.2.1). */
export function changesState(request: Request): boolean {
  return request.method !== 'GET' && request.method !== 'HEAD' && request.method !== 'OPTIONS';
}

/** Whether nothing changes, by the method or by the route's declaration. */
export function isReading(request: Request): boolean {
  const { readOnly } = request.routeOptions.config;
  return !changesState(request) || (typeof readOnly === 'function' ? readOnly(request) : readOnly === true);
}

/** Derived from the session's token, which scripts cannot read, so it need not be stored. */
export function csrfToken(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('plugboard csrf').digest('base64url');
}

function holdsCsrfToken(request: Request, sessionToken: string): boolean {
  const sent = request.headers['x-csrf-token'];
  return typeof sent === 'string' && constantTimeEqual(sent, csrfToken(sessionToken));
}
