/** Wraps any jobs port so that its runs are observed. */
import type { Jobs } from '../sdk/services/jobs.js';
import { errorName, type Observation } from './observation.js';

export function observedJobs(jobs: Jobs, plugin: string, observation: Observation): Jobs {
  return {
    handle(name, handler, options) {
      const observed: typeof handler = async (run) => {
        const { id, attempt, carried = {}, signal } = run;
        // Whatever wakes the runner, a job belongs to the work that added it.
        const span = observation.begin('job', { id, plugin, name, attempt, carried }, true);
        try {
          const result = await span.run(() => handler(run));
          span.end({ outcome: 'done', error: null });
          return result;
        } catch (error) {
          span.end({ outcome: signal.aborted ? 'interrupted' : 'failed', error: errorName(error) });
          throw error;
        }
      };
      jobs.handle(name, observed, options);
    },
    add(name, request = {}) {
      // A repeating job belongs to no request.
      const carried = request.every === undefined ? observation.carried() : undefined;
      return jobs.add(name, carried === undefined ? request : { ...request, carried });
    },
    cancel: (id) => jobs.cancel(id),
    get: (id) => jobs.get(id),
    list: (filter) => jobs.list(filter),
  };
}
