/** Assembles the parts of the provider. */
import type {
  Audit,
  Auth,
  Clock,
  Consumer,
  Directory,
  Logger,
  People,
  Scopes,
  Secrets,
  Storage,
} from 'plugboard/sdk';
import { AdminLogin } from './admin/login.js';
import { Sessions } from './admin/sessions.js';
import { AdminSettings } from './admin/settings.js';
import { allows } from './allows.js';
import { Applications } from './apps/applications.js';
import type { Config } from './config.js';
import { Freshness } from './guard/freshness.js';
import { Guards } from './guard/guards.js';
import { Verifiers } from './guard/verifiers.js';
import { openIssuers } from './issuers/open.js';
import { ApiKeys } from './keys/api-keys.js';
import { Grant } from './keys/grant.js';
import { KeyUse } from './keys/last-used.js';
import { KeyLookup } from './keys/lookup.js';
import { OidcLogins } from './oidc/logins.js';
import { OidcProvider } from './oidc/provider.js';
import type { ScryptCost } from './password/hash.js';
import { Lockout } from './password/lockout.js';
import { Passwords } from './password/passwords.js';
import { Erasures } from './people/erasures.js';
import { findPerson } from './people/person.js';
import { Trail } from './trail.js';
import { Identities } from './users/identities.js';
import { UserLogin } from './users/login.js';
import { moveUsers } from './users/move.js';
import { OneTimePasswords } from './users/one-time-passwords.js';
import { Users } from './users/users.js';

export interface Surroundings {
  readonly storage: Storage;
  readonly secrets: Secrets;
  readonly directory: Directory;
  readonly people: People;
  readonly clock: Clock;
  readonly audit: Audit;
  /** The scopes that enabled plugins declare. */
  readonly declared: Scopes;
  readonly log: Logger;
  readonly baseDir: string;
  /** Of hashing passwords. */
  readonly cost: ScryptCost | undefined;
  /** Resets the timeout of the set-up. */
  readonly progress: () => void;
}

/** Throws for a config that grants a scope which no plugin declares. */
export async function createService(config: Config, surroundings: Surroundings) {
  const { storage, secrets, directory, clock, audit, declared, log, baseDir, cost } = surroundings;
  const grant = new Grant(declared);
  grant.checkConfig(config);
  const lag = config.revocationLag * 1000;
  const trail = new Trail(audit, log);
  const passwords = new Passwords(clock, cost);

  const keys = new ApiKeys(storage, clock);
  const lookup = new KeyLookup(keys.documents, lag, clock, log);
  const use = new KeyUse(keys.uses, log);

  const users = new Users(storage, directory, passwords);
  await moveUsers(storage, directory, users.credentials, surroundings.progress);
  const otp = new OneTimePasswords(users, secrets, clock);
  const identities = new Identities(storage, users, directory);
  const apps = new Applications(storage, clock);

  const admin = new AdminSettings(storage, passwords, config.requireLogin);
  const sessions = new Sessions(storage, config.sessionHours * 3_600_000, clock);
  const lockouts = {
    session: new Lockout(storage, 'session', config.lockout.session, passwords, clock, (reason, address) =>
      trail.refused('login', reason, 'anonymous', address),
    ),
    basic: new Lockout(storage, 'basic', config.lockout.basic, passwords, clock, (reason, address) =>
      trail.refused('login by Basic', reason, 'anonymous', address),
    ),
  };
  const login = new AdminLogin({
    admin,
    sessions,
    users,
    userLogin: new UserLogin(users, otp, passwords, lockouts.session),
    lockout: lockouts.session,
  });

  const erasures = new Erasures({ ...surroundings, users, identities, sessions, keys });
  const { issuers, follow } = await openIssuers(config.issuers, { baseDir, clock, log });
  const freshness = new Freshness(storage, lag);
  const verifiers = new Verifiers();
  const guards = new Guards({
    lookup,
    use,
    sessions,
    admin,
    login,
    userLogin: new UserLogin(users, otp, passwords, lockouts.basic),
    apps,
    issuers,
    verifiers,
    freshness,
    trail,
    anonymous: Object.freeze({ kind: 'anonymous', ...config.anonymous }),
    memberScopes: config.memberScopes,
    clock,
  });

  return {
    admin,
    apps,
    audit,
    clock,
    declared,
    erasures,
    grant,
    identities,
    keys,
    lockouts: Object.values(lockouts),
    login,
    logins: new OidcLogins(storage, secrets, clock),
    lookup,
    otp,
    providers: config.oidc.map((provider) => new OidcProvider(provider)),
    sessions,
    trail,
    users,
    findPerson: (name: string) =>
      findPerson(name, { directory, keys, issuers: config.issuers.map((issuer) => issuer.name) }),
    /** What a plugin gets as AUTH. */
    authFor: (consumer: Pick<Consumer, 'id' | 'scopes'>): Auth => ({
      guard: (credentials, options) => guards.guard(consumer, credentials, options),
      principal: (request) => guards.principal(request),
      identify: (guard, request, headers) => guards.identify(guard, request, headers),
      allows,
      registerVerifier: (verifier) => verifiers.register(verifier),
      keys: { byId: (keyId) => keys.byId(keyId) },
      apps: {
        byClientId: (clientId) => apps.byClientId(clientId),
        verify: (clientId, clientSecret) => apps.verify(clientId, clientSecret),
      },
    }),
    /** Learns revocations of other instances, and issuers' keys, until `signal` is aborted. */
    async follow(signal: AbortSignal): Promise<void> {
      freshness.follow(signal);
      erasures.follow(signal);
      await Promise.all([lookup.follow(signal), follow(signal)]);
    },
    /** Waits for pending writes. */
    async close(): Promise<void> {
      await Promise.all([use.close(), trail.close(), erasures.close()]);
    },
  };
}
