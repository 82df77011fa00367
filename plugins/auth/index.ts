/** The local auth provider: users, applications, API keys, sessions, and the guards that routes declare. */
import {
  type Auth,
  AUTH,
  CLOCK,
  type Consumer,
  definePlugin,
  scoped,
  SCOPES,
  type ScryptCost,
  SECRETS,
  STORAGE,
  AUDIT,
} from 'plugboard/sdk';
import { AdminLogin } from './admin/login.js';
import { Sessions } from './admin/sessions.js';
import { AdminSettings } from './admin/settings.js';
import { Applications } from './apps/applications.js';
import { appCommands } from './commands/apps.js';
import { keyCommands } from './commands/keys.js';
import { userCommands } from './commands/users.js';
import { firstStart } from './first-start.js';
import { allows, MANAGE } from './allows.js';
import { Freshness } from './guard/freshness.js';
import { Guards } from './guard/guards.js';
import { openIssuers } from './issuers/open.js';
import { ApiKeys } from './keys/api-keys.js';
import { Grant } from './keys/grant.js';
import { KeyLookup } from './keys/lookup.js';
import { KeyUse } from './keys/last-used.js';
import { Lockout } from './password/lockout.js';
import { OidcLogins } from './oidc/logins.js';
import { OidcProvider } from './oidc/provider.js';
import { Passwords } from './password/passwords.js';
import { mountRoutes } from './routes/routes.js';
import { Config, configFaults } from './config.js';
import { Trail } from './trail.js';
import { UserLogin } from './users/login.js';
import { Users } from './users/users.js';

const scopes = { [MANAGE]: 'manage the server: keys, users, applications, settings' };

/** `cost` of hashing passwords: a test that boots hundreds of servers takes a cheap one, and no config can. */
export const localAuth = (cost?: ScryptCost) =>
  definePlugin({
    name: 'local',
    api: 1,
    summary: 'users, applications, API keys, sessions and the guards of routes',
    config: Config,
    needs: { storage: STORAGE, secrets: SECRETS, clock: CLOCK, declared: SCOPES, audit: AUDIT },
    provides: { auth: AUTH },
    scopes,
    dialect: 'openai',
    configFaults,
    async setup({
      id,
      baseDir,
      config,
      needs: { storage, secrets, clock, declared, audit },
      log,
      stdout,
      onStop,
    }) {
      const trail = new Trail(audit, log);
      onStop(() => trail.close());
      const passwords = new Passwords(clock, cost);
      const lockout = (name: 'session' | 'basic'): Lockout =>
        new Lockout(storage, name, config.lockout[name], passwords, clock, (reason, address) =>
          trail.refused(name === 'session' ? 'login' : 'login by Basic', reason, 'anonymous', address),
        );

      const keys = new ApiKeys(storage, clock);
      const lookup = new KeyLookup(keys.documents, config.revocationLag * 1000, clock, log);
      const use = new KeyUse(keys.uses, log);
      onStop(() => use.close());

      const users = new Users(storage, secrets, passwords, clock);
      const userLogin = new UserLogin(users, passwords, lockout('basic'));
      const apps = new Applications(storage, clock);

      const admin = new AdminSettings(storage, passwords, config.requireLogin);
      const sessions = new Sessions(storage, config.sessionHours * 3_600_000, clock);
      const ofSessions = lockout('session');
      const login = new AdminLogin({
        admin,
        sessions,
        users,
        userLogin: new UserLogin(users, passwords, ofSessions),
        lockout: ofSessions,
      });

      const grant = new Grant(declared);
      for (const { name, roles } of config.issuers)
        for (const [role, granted] of Object.entries(roles))
          grant.checkConfig(granted, `issuers.${name}.roles.${role}`);
      grant.checkConfig(config.anonymous.scopes, 'anonymous.scopes');
      grant.checkConfig(config.memberScopes, 'memberScopes');
      const { issuers, follow } = await openIssuers(config.issuers, { baseDir, clock, log });
      const anonymous = Object.freeze({
        kind: 'anonymous',
        scopes: config.anonymous.scopes,
        role: config.anonymous.role,
      } as const);
      const { memberScopes } = config;
      const freshness = new Freshness(storage, config.revocationLag * 1000);
      const providers = config.oidc.map((provider) => new OidcProvider(provider));
      const guards = new Guards({
        lookup,
        use,
        sessions,
        admin,
        login,
        userLogin,
        apps,
        issuers,
        freshness,
        trail,
        anonymous,
        memberScopes,
        clock,
      });
      const authFor = (consumer: Pick<Consumer, 'id' | 'scopes'>): Auth => ({
        guard: (credentials, options) => guards.guard(consumer, credentials, options),
        principal: (request) => guards.principal(request),
        allows,
        registerVerifier: (verifier) => guards.registerVerifier(verifier),
        keys: { byId: (keyId) => keys.byId(keyId) },
        users: { byLogin: (login) => users.byLogin(login), byId: (id) => users.byId(id) },
        apps: {
          byClientId: (clientId) => apps.byClientId(clientId),
          verify: (clientId, clientSecret) => apps.verify(clientId, clientSecret),
        },
      });
      const auth = authFor({ id, scopes });
      return {
        provides: { auth: scoped(authFor) },
        routes: (app) =>
          mountRoutes(app, {
            auth,
            admin,
            login,
            trail,
            audit,
            sessions,
            providers,
            logins: new OidcLogins(storage, secrets, clock),
            keys,
            grant,
            lookup,
            declared,
            users,
            apps,
          }),
        async start() {
          const stop = new AbortController();
          freshness.follow(stop.signal);
          const following = Promise.all([lookup.follow(stop.signal), follow(stop.signal)]);
          onStop(() => {
            stop.abort();
            return following;
          });
          await firstStart(config, { admin, sessions, keys, stdout });
        },
        commands: [...keyCommands(keys, grant, clock), ...userCommands(users), ...appCommands(apps)],
      };
    },
  });

export default localAuth();
