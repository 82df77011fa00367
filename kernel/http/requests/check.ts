/** Checks that may refuse a request before its route runs. */
import type { FastifyRequest } from 'fastify';
import type { ServiceError } from '../../sdk/http/errors.js';

/** Why the request is refused, if it is. On every request's path, so synchronous. */
export type Check = (request: FastifyRequest) => ServiceError | undefined;
