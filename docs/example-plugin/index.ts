/** The plugin: what it is called, what a config may say, what it needs and provides, and how it is wired. */
import { AUTH, CLOCK, definePlugin, STORAGE, Type } from 'plugboard/sdk';
import { Guestbook, GUESTBOOK } from './guestbook.js';
import { routes } from './routes.js';

export { GUESTBOOK, type Guestbook } from './guestbook.js';

export default definePlugin({
  name: 'guestbook',
  api: 1,
  summary: 'keeps what visitors write',
  config: Type.Object(
    { maxLength: Type.Integer({ minimum: 1, default: 500, description: 'Longest entry, in characters.' }) },
    { additionalProperties: false },
  ),
  prefix: '/guestbook',
  scopes: { 'guestbook:write': 'write into the guestbook' },
  needs: { storage: STORAGE, auth: AUTH, clock: CLOCK },
  provides: { book: GUESTBOOK },
  setup({ config, needs }) {
    const book = new Guestbook(needs.storage, needs.clock, config);
    return { provides: { book }, routes: (app) => routes(app, book, needs.auth) };
  },
});
