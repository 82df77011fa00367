/** Cross-origin calls from browsers (CORS, Fetch standard). */
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyRequest } from 'fastify';
import type { ServiceError } from '../../sdk/http/errors.js';
import type { Routes } from '../../sdk/http/routes.js';
import { kernelErrors } from '../errors.js';

/** Headers of any service that browsers may read across origins. */
const EXPOSED = ['link', 'etag', 'location', 'retry-after', 'x-request-id'];

/** Seconds for which a browser caches a preflight. */
const PREFLIGHT_LIFE = 600;

/**
 * With `*` in `origins` every page may call, but none with this server's cookies. `exposed` are the headers that
 * plugins declare besides the common ones.
 */
export async function allowOrigins(
  app: Routes,
  origins: readonly string[],
  exposed: readonly string[],
): Promise<void> {
  const all = origins.includes('*');
  const options: FastifyCorsOptions = {
    origin: all ? '*' : [...origins],
    credentials: !all,
    // The library's default lacks the methods that change or delete.
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: [...new Set([...EXPOSED, ...exposed])],
    maxAge: PREFLIGHT_LIFE,
  };
  await app.register(cors, {
    delegator: (request: FastifyRequest, done: (error: null, options: FastifyCorsOptions) => void) =>
      done(null, { ...options, preflight: isPreflight(request) }),
  });
}

/** For a server without CORS: the answer to a preflight says what to configure. */
export function refusePreflight(request: FastifyRequest): ServiceError | undefined {
  return request.method === 'OPTIONS' && isPreflight(request) ? kernelErrors.cross_origin() : undefined;
}

/** The route answers any other OPTIONS. */
function isPreflight({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}
