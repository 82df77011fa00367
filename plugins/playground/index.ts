/** The playground: saved presets, and prompts rewritten by a model. */
import { AUTH, CLOCK, definePlugin, MODELS, RATE_LIMIT, STORAGE } from 'plugboard/sdk';
import { errors } from './errors.js';
import { Presets } from './presets.js';
import { routes } from './routes.js';
import { Config } from './schema.js';
import { peopleData } from './people.js';

export default definePlugin({
  name: 'playground',
  api: 1,
  summary: 'saved presets, and prompts rewritten by a model',
  config: Config,
  needs: { storage: STORAGE, auth: AUTH, models: MODELS, clock: CLOCK },
  wants: { limits: RATE_LIMIT },
  scopes: { presets: 'own saved presets', improve: 'have prompts rewritten by a model' },
  dialect: 'openai',
  invalid: ({ message, path }) => errors.invalid_request({ values: { message }, param: path || null }),
  setup({ config, needs: { storage, auth, models, clock }, wants: { limits } }) {
    const presets = new Presets(storage, clock, config);
    return {
      routes: (app) => routes(app, { auth, limits, models, presets }),
      people: peopleData(presets),
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
