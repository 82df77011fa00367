/** The measured server: one open route, one behind an API key. */
import { AUTH, definePlugin, Type } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';

export const KEY = `pb_${'k'.repeat(43)}`;

const routes = definePlugin({
  name: 'measured',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  needs: { auth: AUTH },
  scopes: { read: 'read' },
  setup: ({ needs: { auth } }) => ({
    routes(app) {
      app.get('/open', () => ({ ok: true }));
      app.get('/guarded', { onRequest: auth.guard('bearer', { scope: 'read' }) }, () => ({ ok: true }));
    },
  }),
});

// The run takes the key from here, too.
if (process.send !== undefined) {
  const server = await bootTest({ plugins: [{ plugin: routes }], auth: { firstKey: KEY } });
  process.once('SIGTERM', () => void server.stop().then(() => process.exit()));
  console.log(await server.listen());
}
