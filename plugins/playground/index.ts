/** The playground: presets and their versions, runs that compare them, and prompts rewritten by a model. */
import { AUTH, CLOCK, definePlugin, MODELS, RATE_LIMIT, STORAGE } from 'plugboard/sdk';
import { SchemaChecker } from './checks/schema-checker.js';
import { errors } from './errors.js';
import { Examples } from './examples/examples.js';
import { peopleData } from './people.js';
import { Presets } from './presets.js';
import { Room } from './room.js';
import { routes } from './routes/routes.js';
import { Runner } from './runs/runner.js';
import { Runs } from './runs/runs.js';
import { Config } from './schema.js';
import { Versions } from './versions/versions.js';

export default definePlugin({
  name: 'playground',
  api: 1,
  summary: 'saved presets with versions, runs that compare them, and prompts rewritten by a model',
  config: Config,
  needs: { storage: STORAGE, auth: AUTH, models: MODELS, clock: CLOCK },
  wants: { limits: RATE_LIMIT },
  scopes: {
    presets: 'own saved presets, their versions and examples, and what runs of them answered',
    improve: 'have prompts rewritten by a model',
    run: 'run presets over models',
  },
  dialect: 'openai',
  invalid: ({ message, path }) => errors.invalid_request({ values: { message }, param: path || null }),
  setup({ config, needs: { storage, auth, models, clock }, wants: { limits }, onStop }) {
    const room = new Room(config.maxCharacters);
    const schemas = new SchemaChecker();
    onStop(() => schemas.close());
    const presets = new Presets(storage, { clock, room, most: config.maxPresets });
    const versions = new Versions(storage, { presets, clock, room, most: config.maxVersions });
    const examples = new Examples(storage, { presets, room, schemas });
    const runs = new Runs(storage, clock, config.keepRuns);
    const runner = new Runner({ models, schemas, versions, examples, runs }, config);
    const kept = { presets, versions, examples, runs };
    return {
      routes: (app) => routes(app, { auth, limits, models, runner, ...kept }),
      people: peopleData(kept),
      pages: [
        {
          console: 1,
          id: 'playground',
          title: 'Playground',
          group: 'Models',
          scope: 'presets',
          module: new URL('./console/playground.page.js', import.meta.url),
        },
      ],
    };
  },
});
