/** The log of a request: each line carries its id. */
import type { FastifyBaseLogger } from 'fastify';

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
