/**
 * Keeps pages of other sites from writing (CSRF). A browser sends a form, or a POST without a content type, to any
 * server without a preflight; if a service needs no key, that is enough to change data. Origins in `cors.origins` may
 * write; so may a request with a key in a header, which a page of another site cannot set without CORS.
 */
import type { FastifyRequest } from 'fastify';
import type { Check } from './check.js';
import { kernelErrors } from '../errors.js';

export function refuseCrossSiteWrites(origins: readonly string[]): Check {
  if (origins.includes('*')) return () => undefined;
  return (request) => {
    if (!isWrite(request) || !isCrossSite(request) || sendsKey(request)) return undefined;
    return origins.includes(request.headers.origin ?? '') ? undefined : kernelErrors.cross_origin();
  };
}

/** The others change nothing (RFC 9110 9.2.1). */
function isWrite({ method }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}

/** By Fetch metadata, else by `Origin`, which browsers send with every write. */
function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site === 'same-origin' || site === 'none') return false;
  const { origin } = request.headers;
  return origin === undefined ? site !== undefined : !isOwn(origin, request.host);
}

/** Host and port alone: a proxy in front of the server may end TLS. */
function isOwn(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: sender } = new URL(origin);
  const own = `${protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === sender;
}

/** Not Basic: browsers remember it and send it on their own. */
function sendsKey({ headers }: FastifyRequest): boolean {
  return headers['x-api-key'] !== undefined || /^(bearer|token) /i.test(headers.authorization ?? '');
}
