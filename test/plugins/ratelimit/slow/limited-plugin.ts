/** A plugin of one route that does nothing but be limited. */
import { AUTH, definePlugin, limited, RATE_LIMIT, Type } from 'plugboard/sdk';

export default definePlugin({
  name: 'limited',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  needs: { auth: AUTH, limits: RATE_LIMIT },
  scopes: { limited: 'call the limited route' },
  setup: ({ needs: { auth, limits } }) => ({
    routes: (app) => {
      app.get(
        '/limited',
        { ...limited(auth.guard('bearer', { scope: 'limited' }), limits.category('data')) },
        () => ({
          ok: true,
        }),
      );
    },
  }),
});
