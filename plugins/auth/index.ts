/** The local auth provider: users, applications, API keys, sessions, and the guards that routes declare. */
import {
  AUDIT,
  AUTH,
  CLOCK,
  definePlugin,
  PEOPLE,
  DIRECTORY,
  scoped,
  SCOPES,
  SECRETS,
  STORAGE,
} from 'plugboard/sdk';
import { MANAGE } from './allows.js';
import { appCommands } from './commands/apps.js';
import { peopleCommands } from './commands/people.js';
import { personOf } from './people/person.js';
import { keyCommands } from './commands/keys.js';
import { userCommands } from './commands/users.js';
import { Config, configFaults } from './config.js';
import { firstStart } from './first-start.js';
import { pages } from './pages.js';
import type { ScryptCost } from './password/hash.js';
import { mountRoutes } from './routes/routes.js';
import { createService } from './service.js';

const scopes = { [MANAGE]: 'manage the server: keys, users, applications, settings' };

/** `cost` of hashing passwords: a test that boots hundreds of servers passes a cheap one; no config can. */
export const localAuth = (cost?: ScryptCost) =>
  definePlugin({
    name: 'local',
    api: 1,
    summary: 'users, applications, API keys, sessions and the guards of routes',
    config: Config,
    needs: {
      storage: STORAGE,
      secrets: SECRETS,
      directory: DIRECTORY,
      people: PEOPLE,
      clock: CLOCK,
      declared: SCOPES,
      audit: AUDIT,
    },
    provides: { auth: AUTH },
    scopes,
    dialect: 'openai',
    configFaults,
    async setup({ id, baseDir, config, needs, log, stdout, signal, onStop, progress }) {
      const service = await createService(config, { ...needs, baseDir, log, cost, progress });
      onStop(() => service.close());
      const { users, otp, keys, grant, apps, erasures, findPerson, lockouts, authFor } = service;
      return {
        provides: { auth: scoped(authFor) },
        routes: (app) => mountRoutes(app, { ...service, auth: authFor({ id, scopes }) }),
        async start() {
          const following = service.follow(signal);
          onStop(() => following);
          await firstStart(config, { ...service, stdout });
        },
        pages,
        commands: [
          ...keyCommands(keys, grant, needs.clock),
          ...userCommands(
            users,
            otp,
            async (userId) => erasures.erase(await personOf({ id: userId }, keys)),
            lockouts,
          ),
          ...peopleCommands({ people: needs.people, erasures, find: findPerson }),
          ...appCommands(apps),
        ],
      };
    },
  });

export default localAuth();
