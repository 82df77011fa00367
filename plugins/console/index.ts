/** The web console, at `/console`: a shell with the pages of all plugins. */
import { AUTH, definePlugin, PAGES, Type } from 'plugboard/sdk';
import { readBuilt } from './built.js';
import { routes } from './routes.js';

export default definePlugin({
  name: 'console',
  api: 1,
  summary: 'what people see in a browser: a shell, and in it the pages of all plugins',
  config: Type.Object({}, { additionalProperties: false }),
  needs: { auth: AUTH, pages: PAGES },
  setup: ({ prefix, needs }) => ({
    routes: (app) => routes(app, { ...needs, built: readBuilt(), prefix }),
    pages: ['Health', 'Metrics', 'Config'].map((title) => ({
      console: 1,
      id: title.toLowerCase(),
      title,
      group: 'Server',
      scope: 'manage',
      module: new URL(`./console/${title.toLowerCase()}.page.js`, import.meta.url),
    })),
  }),
});
