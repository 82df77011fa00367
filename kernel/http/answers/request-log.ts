/** What is logged of requests: each line says which request of which plugin it is about. */
import { LogController, type FastifyBaseLogger, type FastifyRequest } from 'fastify';
import { isServiceError } from '../../sdk/errors.js';

/**
 * `log` with the request's id. A pino child for each request would cost those that log nothing, so it is made for the
 * first line.
 */
export function requestLog(log: FastifyBaseLogger, requestId: string): FastifyBaseLogger {
  const lazy: LazyChild = { log, requestId, child: undefined };
  return new Proxy(lazy, MAKE_CHILD) as unknown as FastifyBaseLogger;
}

interface LazyChild {
  readonly log: FastifyBaseLogger;
  readonly requestId: string;
  child: FastifyBaseLogger | undefined;
}

const MAKE_CHILD: ProxyHandler<LazyChild> = {
  get: (lazy, name) => {
    const child = (lazy.child ??= lazy.log.child({ requestId: lazy.requestId }));
    const member: unknown = Reflect.get(child, name);
    return typeof member === 'function' ? (member.bind(child) as unknown) : member;
  },
};

/** Fastify's own lines are off, but for an answer that fails behind its headers: no client is told of that. */
export class FailedStreams extends LogController {
  constructor() {
    super({ disableRequestLogging: true });
  }

  override streamError(error: Error, request: FastifyRequest): void {
    const { code } = error as NodeJS.ErrnoException;
    const clientLeft =
      request.raw.socket.destroyed || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ABORT_ERR';
    if (!clientLeft && !isServiceError(error))
      request.log.error({ err: error, route: routeOf(request) }, 'an answer failed after it had begun');
  }
}

/** `GET /notes/:id`: the path that the client sent may hold what must not be logged. */
export function routeOf({ method, routeOptions: { url } }: FastifyRequest): string {
  return url === undefined ? method : `${method} ${url}`;
}
