/** The built-in plugins and providers, imported when a config names them. */
import type { BuiltIns } from '../kernel/boot/plan/slots.js';

export const builtins: BuiltIns = {
  plugins: {
    accounts: () => import('./accounts/index.js'),
    authorizations: () => import('./authorizations/index.js'),
    changes: () => import('./changes/index.js'),
    console: () => import('./console/index.js'),
    dataquery: () => import('./dataquery/index.js'),
    events: () => import('./events/index.js'),
    memory: () => import('./memory/index.js'),
    playground: () => import('./playground/index.js'),
    ratelimit: () => import('./ratelimit/index.js'),
    router: () => import('./router/index.js'),
    speech: () => import('./speech/index.js'),
    telemetry: () => import('./telemetry/index.js'),
  },
  providers: {
    jobs: { default: 'stored', fillers: { stored: () => import('./jobs/index.js') } },
    auth: { default: 'local', fillers: { local: () => import('./auth/index.js') } },
    directory: { default: 'stored', fillers: { stored: () => import('./directory/index.js') } },
    secrets: { default: 'key-ring', fillers: { 'key-ring': () => import('./secrets/index.js') } },
    audit: { default: 'chained', fillers: { chained: () => import('./audit/index.js') } },
    storage: {
      default: 'embedded',
      fillers: {
        embedded: () => import('./storage/embedded/index.js'),
        mongodb: () => import('./storage/mongodb/index.js'),
        'memory-server': () => import('./storage/memory-server/index.js'),
      },
    },
    errors: {
      default: 'standard',
      fillers: { standard: () => import('./errors/index.js') },
    },
  },
};
