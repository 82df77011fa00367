/** `GET /rate_limit`: how the limits stand for the caller. It counts against none of them. */
import { entityTag, noneMatchHolds, type Auth, type Guard, type Reply, type Routes } from 'plugboard/sdk';
import { errors } from './errors.js';
import { RateLimitAnswer } from './schema.js';
import type { StatusReader } from './status.js';
import { subjectOf } from './subject.js';

export interface RouteParts {
  readonly auth: Auth;
  /** Undefined: the limits are off. */
  readonly status: StatusReader | undefined;
}

export function routes(app: Routes, { auth, status }: RouteParts): void {
  // No scope: every caller may read its own limits.
  const guard: Guard = auth.guard(['token', 'bearer', 'basicUser', 'basicApp'], { optional: true });

  app.get(
    '/rate_limit',
    {
      onRequest: guard,
      schema: {
        summary: 'What is left of the limits of who asks; costs nothing',
        response: { 200: RateLimitAnswer },
      },
    },
    async (request, reply) => {
      if (status === undefined) throw errors.rate_limit_off();
      const { answer, state } = await status.read(subjectOf(auth.principal(request), request.ip));
      const { limit, remaining, reset, used } = answer.rate;
      const tag = `W/${entityTag(state)}`;
      reply.headers({
        etag: tag,
        'cache-control': 'private, no-cache',
        'x-ratelimit-limit': limit,
        'x-ratelimit-remaining': remaining,
        'x-ratelimit-reset': reset,
        'x-ratelimit-used': used,
        'x-ratelimit-resource': 'core',
      });
      if (!noneMatchHolds(request.headers['if-none-match'], tag)) {
        // With a content type some clients try to read a body.
        const bare: Reply = reply;
        return bare.code(304).removeHeader('content-type').send();
      }
      return answer;
    },
  );
}
