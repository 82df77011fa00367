/** Activity events: ten feeds made for polling, the directory that decides who sees what, and ways in. */
import { resolve } from 'node:path';
import {
  AUTH,
  CHANGES,
  CLOCK,
  definePlugin,
  DIRECTORY,
  EVENT_FEED,
  JOBS,
  RATE_LIMIT,
  SLOW_READERS,
  STORAGE,
  githubClients,
  type InvalidRequest,
} from 'plugboard/sdk';
import { IMPORT, importCommand } from './archive/command.js';
import type { ImportInput } from './archive/import.js';
import { loadDemo } from './demo.js';
import { errors, validationFailed } from './errors.js';
import { PollInterval } from './feeds/poll-interval.js';
import { WITHDRAW } from './manage/withdraw.js';
import { feedRoutes } from './routes/feeds.js';
import { hookRoutes } from './routes/hooks.js';
import { managementRoutes } from './routes/manage.js';
import { Config } from './schema.js';
import { createService } from './service.js';

export default definePlugin({
  name: 'events',
  api: 1,
  summary: 'activity feeds for polling, with conditional requests, and a directory that says who sees what',
  config: Config,
  needs: {
    storage: STORAGE,
    auth: AUTH,
    directory: DIRECTORY,
    clock: CLOCK,
    jobs: JOBS,
    readers: SLOW_READERS,
  },
  wants: { limits: RATE_LIMIT, changes: CHANGES },
  provides: { feed: EVENT_FEED },
  scopes: {
    events: 'read the activity feeds',
    'events:write': 'publish events and change the directory',
  },
  exposedHeaders: ['last-modified', 'x-poll-interval'],
  dialect: 'github',
  clients: githubClients,
  invalid,
  setup({ config, baseDir, prefix, needs, wants: { limits, changes }, log, signal, draining, progress }) {
    const { auth, clock, jobs, readers } = needs;
    const service = createService({ ...needs, changes }, config);
    const interval = new PollInterval({ base: config.pollInterval, most: config.maxPollInterval });
    jobs.handle<ImportInput>(IMPORT, (run) => service.runImport(run));
    jobs.handle<{ repository: number }>(WITHDRAW, (run) => service.runWithdrawal(run));
    let started = false;
    return {
      provides: { feed: service.management.publisher },
      people: service.people,
      pages: [
        {
          console: 1,
          id: 'events',
          title: 'Events',
          group: 'Services',
          scope: 'events',
          module: new URL('./console/events.page.js', import.meta.url),
        },
      ],
      routes(app) {
        const { pages, hooks, directory } = service;
        const { maxStreams: most, maxStreamsPerCaller: mostOfCaller } = config;
        const live = service.live({ most, mostOfCaller, log, signal });
        const parts = { auth, clock, limit: limits?.category('core'), prefix, baseUrl: config.baseUrl };
        feedRoutes(app, { ...parts, pages, interval, live, readers, draining });
        if (hooks !== undefined) hookRoutes(app, { ...parts, hooks, directory });
        managementRoutes(app, auth, service.management);
      },
      async start() {
        await service.prepare(progress);
        if (config.demo !== undefined)
          await loadDemo(resolve(baseDir, config.demo), service.management, clock);
        started = true;
      },
      commands: [importCommand({ jobs, log, runsJobs: () => started, run: (run) => service.runImport(run) })],
    };
  },
});

function invalid({ part, path, keyword, message }: InvalidRequest): ReturnType<typeof validationFailed> {
  if (part === 'params') return errors.not_found();
  if (part === 'body' && path === '' && keyword === 'type') return errors.not_an_object();
  const code = keyword === 'required' ? 'missing_field' : 'invalid';
  const resource = path.startsWith('config') ? 'Hook' : 'Event';
  return validationFailed({ resource, field: path, code, message });
}
