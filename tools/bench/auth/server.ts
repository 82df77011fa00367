/** The measured server, in a process of its own: one open route, one behind an API key, one behind a password. */
import { AUTH, definePlugin, Type } from 'plugboard/sdk';
import { bootTest } from 'plugboard/testing';

export interface Ready {
  readonly url: string;
  readonly key: string;
}

export const LOGIN = 'ann';
export const PASSWORD = 'the password of ann';

const routes = definePlugin({
  name: 'measured',
  api: 1,
  config: Type.Object({}, { additionalProperties: false }),
  needs: { auth: AUTH },
  scopes: { read: 'read' },
  setup: ({ needs: { auth } }) => ({
    routes(app) {
      app.get('/open', () => ({ ok: true }));
      app.get('/keys', { onRequest: auth.guard('bearer', { scope: 'read' }) }, () => ({ ok: true }));
      app.get('/user', { onRequest: auth.guard('basicUser') }, () => ({ ok: true }));
    },
  }),
});

if (process.send !== undefined) {
  const server = await bootTest({
    plugins: [{ plugin: routes }],
    auth: { adminPassword: PASSWORD, lockout: { basic: { failures: 1000 } } },
  });
  const created = await server.command(['users', 'create', LOGIN, '--password-stdin'], PASSWORD);
  if (created.code !== 0) throw new Error(created.stderr);
  const ready: Ready = { url: await server.listen(), key: await server.key('read') };
  // The parent asks for the time that this process has spent, in microseconds.
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.once('disconnect', () => void server.stop());
  process.send(ready);
}
