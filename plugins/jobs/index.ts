/** The jobs provider: long or deferred work, kept in storage and run by one instance at a time. */
import { AUTH, CLOCK, definePlugin, type Jobs, JOBS, scoped, STORAGE, Type } from 'plugboard/sdk';
import { jobCommands } from './commands.js';
import { ownedJobs } from './owned-jobs.js';
import { JobQueue } from './queue.js';
import { routes } from './routes.js';
import { JobRunner } from './runner.js';

export default definePlugin({
  name: 'stored',
  api: 1,
  summary: 'jobs that survive the process that runs them',
  config: Type.Object(
    {
      poll: Type.Integer({
        default: 1000,
        minimum: 10,
        maximum: 60_000,
        description: 'Milliseconds between two looks for jobs that are due',
      }),
      lease: Type.Integer({
        default: 15_000,
        minimum: 1000,
        maximum: 600_000,
        description: 'Milliseconds without a sign of life after which another instance takes a job over',
      }),
    },
    { additionalProperties: false },
  ),
  needs: { storage: STORAGE, clock: CLOCK, auth: AUTH },
  provides: { jobs: JOBS },
  dialect: 'openai',
  setup({ config, needs: { storage, clock, auth }, log, onStop }) {
    const queue = new JobQueue(storage, clock);
    const runner = new JobRunner(queue, log, config);
    return {
      provides: {
        jobs: scoped<Jobs>(({ id, signal, log: own }) => {
          signal.addEventListener('abort', () => runner.leave(id), { once: true });
          return ownedJobs({ id, log: own }, queue, runner);
        }),
      },
      routes: (app) => routes(app, auth, queue, runner),
      pages: [
        {
          console: 1,
          id: 'jobs',
          title: 'Jobs',
          group: 'Server',
          scope: 'manage',
          module: new URL('./console/jobs.page.js', import.meta.url),
        },
      ],
      async start() {
        // Registered here and not in set-up, so that jobs end before their plugins release anything.
        onStop(() => runner.stop());
        await runner.start(storage.directory !== undefined);
      },
      commands: jobCommands(queue, runner),
    };
  },
});
