/** The directory: people and organizations, each with one number and one login across all plugins. */
import { CLOCK, definePlugin, DIRECTORY, STORAGE, Type } from 'plugboard/sdk';
import { Accounts } from './accounts.js';

export default definePlugin({
  name: 'stored',
  api: 1,
  summary: 'people and organizations, each with one number and one login for every plugin',
  config: Type.Object({}, { additionalProperties: false }),
  needs: { storage: STORAGE, clock: CLOCK },
  provides: { directory: DIRECTORY },
  setup: ({ needs: { storage, clock } }) => ({ provides: { directory: Accounts.in(storage, clock) } }),
});
