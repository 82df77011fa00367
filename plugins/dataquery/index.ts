/** Relational queries with embedded resources over HTTP, in the language of PostgREST. */
import { resolve } from 'node:path';
import { AUTH, CHANGES, CLOCK, definePlugin, JOBS, RATE_LIMIT, SLOW_READERS, STORAGE } from 'plugboard/sdk';
import { ANYBODYS, BYPASS, callersOf } from './caller.js';
import { dialect } from './dialect.js';
import { liveRoutes, realtimeRoutes } from './live-routes.js';
import { peopleData } from './people.js';
import { routes } from './routes.js';
import { importCommand } from './engine/loading/import.js';
import { loadRows } from './engine/loading/load.js';
import { configSchema } from './schema.js';
import { catalogCommands, deleteDropped, handleMigrations, startBehind } from './catalog-commands.js';
import { dumpCommand } from './dump-command.js';
import { policiesCommand } from './policies-command.js';
import { DataService } from './service.js';

const page = {
  console: 1,
  id: 'tables',
  title: 'Data',
  group: 'Data',
  scope: 'data:read',
  module: new URL('./console/data.page.js', import.meta.url),
} as const;

export default definePlugin({
  name: 'dataquery',
  api: 1,
  summary: 'Relational queries with embedded resources',
  config: configSchema,
  needs: { storage: STORAGE, auth: AUTH, clock: CLOCK, jobs: JOBS, readers: SLOW_READERS },
  exposedHeaders: ['content-range', 'content-location', 'preference-applied'],
  wants: { limits: RATE_LIMIT, changes: CHANGES },
  prefix: '/data',
  scopes: {
    'data:read': 'read rows',
    'data:write': 'write rows, which reading does not include',
    'data:explain': 'see how rows are found',
    [BYPASS]: 'read and write whatever row policies and grants say',
  },
  dialect,
  async setup({ config, baseDir, prefix, reloading, needs, wants, log, signal, draining, progress }) {
    const service = new DataService(config, { baseDir, prefix, signal }, { ...needs, ...wants }, log);
    await service.open(reloading);
    const open = config.auth === 'none';
    const reading = needs.auth.guard('bearer', { scope: 'data:read' });
    const guards = {
      read: open ? undefined : reading,
      write: open ? undefined : needs.auth.guard('bearer', { scope: 'data:write' }),
      call: open ? undefined : needs.auth.guard('bearer', { scope: ['data:read', 'data:write'] }),
      explain: open ? undefined : needs.auth.guard(['bearer', 'management'], { scope: 'data:explain' }),
      manage: needs.auth.guard('management'),
    };
    const callers = open ? ANYBODYS : callersOf(needs.auth, reading);
    const limit = wants.limits?.category('data');
    const opening = open ? undefined : needs.auth.guard('bearer', { optional: true });
    const live = {
      service,
      guard: guards.read,
      opening,
      callers,
      limit,
      readers: needs.readers,
      draining,
      log,
    };
    handleMigrations(service.catalog, needs.jobs);
    let started = false;
    return {
      async routes(app) {
        routes(app, service, guards, callers, limit, needs.readers);
        liveRoutes(app, live);
        if (config.realtime) await app.register((scope) => realtimeRoutes(scope, live));
      },
      pages: [page],
      people: peopleData(service),
      async start() {
        await startBehind(service.catalog, needs.jobs, log, reloading || config.unmigrated === 'serve');
        started = true;
        await deleteDropped(needs.jobs);
        void service.catalog.follow();
        if (config.rows !== undefined) {
          const loaded = await loadRows(service, needs.clock, resolve(baseDir, config.rows), progress);
          if (loaded > 0) log.info({ rows: loaded }, 'loaded rows into empty relations');
        }
        void service.followSizes(signal);
      },
      commands: [
        importCommand(service),
        dumpCommand,
        policiesCommand(service),
        ...catalogCommands(service.catalog, needs.jobs, () => started),
      ],
    };
  },
});
