/** The router: the APIs of several vendors over several upstreams, with balancing, failover and usage records. */
import {
  AUTH,
  CHANGES,
  CLOCK,
  definePlugin,
  ERRORS,
  METRICS,
  MODELS,
  OBSERVERS,
  RATE_LIMIT,
  SECRETS,
  STORAGE,
} from 'plugboard/sdk';
import { configFaults } from './config-faults.js';
import { errorDialectOf } from './dialects/errors.js';
import { errors } from './errors.js';
import { openRouter } from './open.js';
import { routes } from './routes.js';
import { Config } from './schema.js';
import { tryCommand } from './trial/command.js';
import { readiness } from './upstream/status.js';
import { peopleData } from './people.js';

export default definePlugin({
  name: 'router',
  api: 1,
  summary: 'chat completions, embeddings and rerank over several upstreams',
  config: Config,
  configFaults,
  needs: {
    storage: STORAGE,
    auth: AUTH,
    clock: CLOCK,
    errors: ERRORS,
    metrics: METRICS,
    secrets: SECRETS,
    observers: OBSERVERS,
  },
  wants: { limits: RATE_LIMIT, changes: CHANGES },
  provides: { models: MODELS },
  exposedHeaders: [
    'x-plugboard-upstream',
    'x-plugboard-cost',
    'x-plugboard-cache',
    'x-plugboard-omitted',
    'x-plugboard-estimated',
  ],
  scopes: {
    chat: 'chat completions',
    embeddings: 'embeddings',
    rerank: 'rerank',
    images: 'pictures made from a text',
    moderations: 'texts and pictures judged by a policy',
    transcriptions: 'recordings written down',
    usage: 'read what all keys have used',
  },
  dialect: 'openai',
  dialectOf: errorDialectOf,
  invalid: ({ message, path }) => errors.invalid_request({ values: { message }, param: path || null }),
  async setup({ config, needs, wants, log, signal, onStop }) {
    const limit = wants.limits?.category('chat');
    const open = await openRouter(config, {
      ...needs,
      limit,
      changes: wants.changes,
      log,
      signal,
      onStop,
    });
    const { router, catalog, prices, fleet, clock } = open;
    return {
      provides: { models: router },
      commands: [tryCommand({ catalog, prices, limits: router.parts.limits })],
      pages: [
        {
          console: 1,
          id: 'router',
          title: 'Router',
          group: 'Models',
          scope: 'usage',
          module: new URL('./console/router.page.js', import.meta.url),
        },
      ],
      routes: (app) => routes(app, open),
      start: () => open.start(),
      people: peopleData(open),
      check: () =>
        Object.fromEntries(
          fleet.upstreams.map((upstream) => [upstream.name, readiness(upstream, clock.now())]),
        ),
    };
  },
});
