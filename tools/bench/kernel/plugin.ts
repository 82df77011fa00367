/** The route on Plugboard: with the check that bare Fastify has, with an API key, and with a limit. */
import { AUTH, definePlugin, limited, RATE_LIMIT, Type } from 'plugboard/sdk';
import { answer, authenticate, itemSchema, type Item } from './item.js';

export default definePlugin({
  name: 'bench',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  needs: { auth: AUTH, limits: RATE_LIMIT },
  scopes: { bench: 'call the routes of the bench' },
  setup: ({ needs: { auth, limits } }) => ({
    routes: (app) => {
      const schema = { body: Type.Unsafe<Item>(itemSchema) };
      const guard = auth.guard('bearer', { scope: 'bench' });
      const hooks = {
        items: { onRequest: authenticate },
        guarded: { onRequest: guard },
        limited: limited(guard, limits.category('data')),
      };
      app.post('/items', { schema, ...hooks.items }, (request) => answer(request.body));
      app.post('/guarded', { schema, ...hooks.guarded }, (request) => answer(request.body));
      app.post('/limited', { schema, ...hooks.limited }, (request) => answer(request.body));
    },
  }),
});
