/** Jobs over HTTP, for the operator. */
import { type Auth, type Routes, Type } from 'plugboard/sdk';
import { errors } from './errors.js';
import type { JobQueue } from './queue.js';
import { toJob } from './record.js';
import type { JobRunner } from './runner.js';

const State = Type.Enum(['waiting', 'running', 'done', 'failed', 'cancelled']);

const closed = { additionalProperties: false } as const;
const MaybeTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

const JobAnswer = Type.Object({
  id: Type.String(),
  owner: Type.String(),
  name: Type.String(),
  key: Type.String(),
  state: State,
  attempt: Type.Integer(),
  done: Type.Number(),
  total: Type.Union([Type.Number(), Type.Null()]),
  result: Type.Unknown(),
  error: Type.Union([Type.String(), Type.Null()]),
  at: MaybeTime,
  createdAt: MaybeTime,
  startedAt: MaybeTime,
  endedAt: MaybeTime,
});

export function routes(app: Routes, auth: Auth, queue: JobQueue, runner: JobRunner): void {
  const onRequest = auth.guard('management');
  const tags = ['Jobs'];

  app.get(
    '/-/jobs',
    {
      onRequest,
      schema: {
        summary: 'List jobs, the newest first, at most 100',
        tags,
        querystring: Type.Object(
          {
            owner: Type.Optional(Type.String()),
            name: Type.Optional(Type.String()),
            state: Type.Optional(State),
          },
          closed,
        ),
        response: { 200: Type.Object({ jobs: Type.Array(JobAnswer) }) },
      },
    },
    async (request) => ({ jobs: JSON.parse(JSON.stringify((await queue.list(request.query)).map(toJob))) }),
  );

  app.post(
    '/-/jobs/:id/cancel',
    {
      onRequest,
      schema: {
        summary: 'Cancel a job that waits or runs',
        tags,
        params: Type.Object({ id: Type.String({ maxLength: 100 }) }, closed),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      if ((await queue.cancel(id)) === null) throw errors.job_not_found({ values: { id } });
      runner.cancel(id);
      return reply.code(204).send();
    },
  );
}
