/** The state of the limits, for the caller and for the management. Neither route counts against any limit. */
import { entityTag, noneMatchHolds, type Auth, type Guard, type Reply, type Routes } from 'plugboard/sdk';
import { errors } from './errors.js';
import { RateLimitAnswer, StandingsAnswer, StandingsQuery } from './schema.js';
import type { Standings } from './standings.js';
import type { StatusReader } from './status.js';
import { subjectOf } from './subject.js';

export interface RouteParts {
  readonly auth: Auth;
  /** Undefined: the limits are off. */
  readonly status: StatusReader | undefined;
  readonly standings: Standings | undefined;
}

export function routes(app: Routes, { auth, status, standings }: RouteParts): void {
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

  app.get(
    '/api/limits',
    {
      onRequest: auth.guard('management'),
      schema: {
        summary: 'The limits, and the callers who are nearest to one',
        querystring: StandingsQuery,
        response: { 200: StandingsAnswer },
      },
    },
    (request) => {
      if (standings === undefined) throw errors.rate_limit_off();
      return standings.read(request.query);
    },
  );
}
