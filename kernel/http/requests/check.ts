/** What a request may be refused for before its route is asked. */
import type { FastifyRequest } from 'fastify';
import type { ServiceError } from '../../sdk/http/errors.js';

/** Why the request is refused, if it is. Every request passes through: no promise, nothing that waits. */
export type Check = (request: FastifyRequest) => ServiceError | undefined;
