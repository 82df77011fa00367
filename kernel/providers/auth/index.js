import { definePlugin } from '../../sdk/plugin.js';
import { AUTH, CLOCK, SECRETS, STORAGE } from '../../sdk/tokens.js';
import { AdminLogin } from './admin/login.js';
import { Sessions } from './admin/sessions.js';
import { AdminSettings } from './admin/settings.js';
import { Applications } from './apps/applications.js';
import { appCommands } from './commands/apps.js';
import { keyCommands } from './commands/keys.js';
import { userCommands } from './commands/users.js';
import { firstStart } from './first-start.js';
import { allows, Guards } from './guard/guards.js';
import { KeyLookup } from './keys/lookup.js';
import { ApiKeys } from './keys/api-keys.js';
import { KeyUse } from './keys/use.js';
import { Lockout } from './password/lockout.js';
import { Passwords } from './password/passwords.js';
import { mountRoutes } from './routes/routes.js';
import { Config } from './schema.js';
import { findSealKeys } from './seal/keys.js';
import { SealProof } from './seal/proof.js';
import { sealRing } from './seal/ring.js';
import { Turnstile } from './password/turnstile.js';
import { UserLogin } from './users/login.js';
import { Users } from './users/users.js';
export default definePlugin({
    name: 'local',
    api: 1,
    summary: 'users, applications, API keys, sessions and the guards of routes',
    config: Config,
    needs: { storage: STORAGE, clock: CLOCK },
    provides: { auth: AUTH, secrets: SECRETS },
    dialect: 'openai',
    async setup({ config, needs: { storage, clock }, log, stdout, onStop }) {
        const secrets = sealRing(await findSealKeys(config.sealKeys, storage.directory));
        const sealProof = new SealProof(storage, secrets);
        const turnstile = new Turnstile();
        const lockout = (name) => new Lockout(storage, name, config.lockout[name], turnstile, clock);
        const passwords = new Passwords(clock);
        const keys = new ApiKeys(storage, clock);
        const lookup = new KeyLookup(keys.documents, clock, log);
        const use = new KeyUse(keys.uses, log);
        onStop(() => use.close());
        const users = new Users(storage, secrets, clock);
        const userLogin = new UserLogin(users, passwords, lockout('basic'));
        const apps = new Applications(storage, clock);
        const admin = new AdminSettings(storage, config.requireLogin);
        const sessions = new Sessions(storage, config.sessionHours * 3_600_000, clock);
        const login = new AdminLogin(admin, sessions, passwords, lockout('session'));
        const guards = new Guards({ lookup, use, sessions, admin, userLogin, apps, clock });
        const auth = {
            guard: (credentials, options) => guards.guard(credentials, options),
            principal: (request) => guards.principal(request),
            allows,
            registerVerifier: (verifier) => guards.registerVerifier(verifier),
            users: { byLogin: (login) => users.byLogin(login), byId: (id) => users.byId(id) },
            apps: {
                byClientId: (clientId) => apps.byClientId(clientId),
                verify: (clientId, clientSecret) => apps.verify(clientId, clientSecret),
            },
        };
        return {
            provides: { auth, secrets },
            routes: (app) => mountRoutes(app, { auth, admin, login, sessions, keys, lookup, users, apps }),
            async start() {
                await sealProof.check();
                const stop = new AbortController();
                const following = lookup.follow(stop.signal);
                onStop(() => {
                    stop.abort();
                    return following;
                });
                await firstStart(config, { admin, sessions, keys, stdout });
            },
            commands: [...keyCommands(keys, clock), ...userCommands(users), ...appCommands(apps)],
        };
    },
});
//# sourceMappingURL=index.js.map