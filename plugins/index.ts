/** The built-in plugins, imported when a config names them. */
import type { Builtins } from '../kernel/load.js';

export const builtins: Builtins = {
  accounts: () => import('./accounts/index.js'),
  authorizations: () => import('./authorizations/index.js'),
  dataquery: () => import('./dataquery/index.js'),
  events: () => import('./events/index.js'),
  memory: () => import('./memory/index.js'),
  playground: () => import('./playground/index.js'),
  ratelimit: () => import('./ratelimit/index.js'),
  router: () => import('./router/index.js'),
  speech: () => import('./speech/index.js'),
};
