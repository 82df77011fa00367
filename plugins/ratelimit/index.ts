/** The rate limit: counts the requests of every plugin's limited routes, and refuses those beyond a limit. */
import {
  AUTH,
  CLOCK,
  definePlugin,
  DIRECTORY,
  METRICS,
  RATE_LIMIT,
  githubClients,
  scoped,
  STORAGE,
  type RateLimit,
} from 'plugboard/sdk';
import { EXPOSED_HEADERS, formOf } from './form.js';
import { Leases } from './leases.js';
import { Limiter, UNCOUNTED } from './limiter.js';
import { CategoryLimits } from './limits.js';
import { pages } from './pages.js';
import { routes } from './routes.js';
import { Config, type CategoryName } from './schema.js';
import { Secondary } from './secondary.js';
import { Standings } from './standings.js';
import { StatusReader } from './status.js';
import { Tokens } from './tokens.js';
import { Windows } from './windows.js';

export default definePlugin({
  name: 'ratelimit',
  api: 1,
  summary: 'limits requests and tokens by user, application, API key and address, for every plugin',
  config: Config,
  needs: { storage: STORAGE, auth: AUTH, directory: DIRECTORY, clock: CLOCK, metrics: METRICS },
  provides: { limits: RATE_LIMIT },
  exposedHeaders: EXPOSED_HEADERS,
  dialect: 'github',
  clients: githubClients,
  setup({ config, needs: { storage, auth, directory, clock, metrics }, log, onStop }) {
    const windows = new Windows(storage, clock);
    const leases = new Leases(windows, clock, log, config.lease);
    onStop(() => leases.close());
    const tokens = new Tokens(windows, clock, log, config.lease);
    onStop(() => tokens.close());
    const secondary = new Secondary(config.secondary);
    const refusals = metrics.counter('ratelimit_refused_total', 'Requests beyond a limit', ['category']);
    const refused = (category: string): void => refusals.add(1, { category });

    const names = Object.keys(config.categories) as CategoryName[];
    const categories = Object.fromEntries(
      names.map((name) => [name, new CategoryLimits(name, config)]),
    ) as Record<CategoryName, CategoryLimits>;
    const limits = scoped(({ dialect: given }): RateLimit => {
      const dialect = typeof given === 'string' ? given : given.name;
      const form = formOf(dialect);
      return {
        category(name) {
          const category = names.find((known) => known === name);
          if (category === undefined)
            throw new RangeError(`unknown rate limit category "${name}"; there are ${names.join(', ')}`);
          if (!config.active) return UNCOUNTED;
          return new Limiter(categories[category], {
            auth,
            clock,
            leases,
            tokens,
            secondary: dialect === 'github' ? secondary : undefined,
            form,
            refused,
          });
        },
      };
    });
    const status = config.active ? new StatusReader(categories, windows, leases, clock) : undefined;
    const standings = config.active
      ? new Standings({ categories, windows, leases, auth, directory })
      : undefined;
    return { pages, provides: { limits }, routes: (app) => routes(app, { auth, status, standings }) };
  },
});
