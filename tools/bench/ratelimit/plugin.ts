/** The same small route twice, behind the same guard: once limited. */
import { AUTH, definePlugin, limited, RATE_LIMIT, Type } from 'plugboard/sdk';

export default definePlugin({
  name: 'bench',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  needs: { auth: AUTH, limits: RATE_LIMIT },
  scopes: { bench: 'call the routes of the bench' },
  setup: ({ needs: { auth, limits } }) => ({
    routes: (app) => {
      const guard = auth.guard('bearer', { scope: 'bench' });
      app.get('/open', { onRequest: guard }, () => ({ ok: true }));
      app.get('/limited', { ...limited(guard, limits.category('data')) }, () => ({ ok: true }));
    },
  }),
});
