/** Calls of browsers from other origins (the CORS protocol of the Fetch standard). */
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyRequest } from 'fastify';
import type { Routes } from '../sdk/routes.js';

/** Headers that browsers may read across origins. */
const EXPOSED = [
  'link',
  'etag',
  'location',
  'content-range',
  'content-location',
  'preference-applied',
  'retry-after',
  'x-request-id',
  'x-plugboard-upstream',
];

/** Seconds for which a browser need not ask again. */
const PREFLIGHT_LIFE = 600;

/** `origins` may be `*`: then every page may call, and none with the cookies of this server. */
export async function allowOrigins(app: Routes, origins: readonly string[]): Promise<void> {
  const all = origins.includes('*');
  const options: FastifyCorsOptions = {
    origin: all ? '*' : [...origins],
    credentials: !all,
    // The library's default leaves out all that change or delete.
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED,
    maxAge: PREFLIGHT_LIFE,
  };
  await app.register(cors, {
    delegator: (request: FastifyRequest, done: (error: null, options: FastifyCorsOptions) => void) =>
      done(null, { ...options, preflight: isPreflight(request) }),
  });
}

/** An OPTIONS of any other client is the route's to answer. */
function isPreflight({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}
