/** Logs answers that fail after their headers were sent. */
import { LogController, type FastifyRequest } from 'fastify';
import { isServiceError } from '../../sdk/http/errors.js';

/** Fastify's own request lines are off, except for failures that can no longer be reported to the client. */
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

/** `GET /notes/:id`: the path as sent may hold secrets. */
export function routeOf({ method, routeOptions: { url } }: FastifyRequest): string {
  return url === undefined ? method : `${method} ${url}`;
}
