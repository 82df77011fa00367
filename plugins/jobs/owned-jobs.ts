/** The jobs port for one plugin, with a namespace of its own for names and keys. */
import type { Consumer, JobHandler, Jobs } from 'plugboard/sdk';
import type { JobQueue } from './queue.js';
import { toJob } from './record.js';
import type { JobRunner } from './runner.js';

export function ownedJobs(
  { id: owner, log }: Pick<Consumer, 'id' | 'log'>,
  queue: JobQueue,
  runner: JobRunner,
): Jobs {
  return {
    handle(name, handler, { attempts = 5, backoff = 1000, concurrency = 1 } = {}) {
      const run = handler as JobHandler<never>;
      runner.handle({ owner, name, run, log, attempts, backoff, concurrency });
    },
    async add(name, request = {}) {
      if (!runner.handles({ owner, name }))
        throw new TypeError(`plugin "${owner}" has no handler for the job "${name}": jobs.handle, in setup`);
      const job = await queue.add({ owner, name }, request);
      runner.wake();
      return toJob(job);
    },
    async cancel(id) {
      const cancelled = await queue.cancel(id, owner);
      if (cancelled !== null) runner.cancel(id);
      return cancelled !== null;
    },
    async get(id) {
      const job = await queue.get(id, owner);
      return job && toJob(job);
    },
    async list(filter = {}) {
      return (await queue.list({ ...filter, owner })).map(toJob);
    },
  };
}
