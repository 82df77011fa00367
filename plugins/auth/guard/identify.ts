/** From the credential of a request to a principal, or to the refusal. */
import {
  principalId,
  sha256,
  type Clock,
  type Principal,
  type Reply,
  type Request,
  type ServiceError,
  type TokenVerifier,
} from 'plugboard/sdk';
import type { AdminLogin, Operator } from '../admin/login.js';
import type { AdminSettings } from '../admin/settings.js';
import type { Sessions } from '../admin/sessions.js';
import { ALL } from '../allows.js';
import type { Applications } from '../apps/applications.js';
import { errors } from '../errors.js';
import type { Issuers } from '../issuers/issuers.js';
import { isApiKey } from '../keys/key-format.js';
import type { KeyUse } from '../keys/last-used.js';
import type { KeyLookup, KnownKey } from '../keys/lookup.js';
import type { Trail } from '../trail.js';
import type { UserLogin } from '../users/login.js';
import { keyHeader, type SentCredential } from './credential.js';
import type { Freshness } from './freshness.js';
import { changesState, checkOrigin, isReading, refuseForgery } from './origin.js';
import { challenge, type Rule } from './rule.js';
import { holdsOne, insufficientScope, notAccepted, scoped, tellScopes, unknownToken } from './scope.js';
import { setSessionCookie } from './session-cookie.js';
import type { Verifiers } from './verifiers.js';

/** Any caller while management needs no login: the administrator, like a session. */
const UNGUARDED: Principal = Object.freeze({ kind: 'anonymous', scopes: ['*'] });

export interface IdentifierParts {
  readonly lookup: KeyLookup;
  readonly use: KeyUse;
  readonly sessions: Sessions;
  readonly admin: AdminSettings;
  readonly userLogin: UserLogin;
  readonly login: Pick<AdminLogin, 'operator'>;
  /** Scopes of people with the access `member`. */
  readonly memberScopes: readonly string[];
  readonly apps: Applications;
  readonly issuers: Issuers;
  readonly verifiers: Verifiers;
  readonly freshness: Freshness;
  readonly trail: Trail;
  /** A caller without a credential, with the scopes that the config grants. */
  readonly anonymous: Extract<Principal, { kind: 'anonymous' }>;
  readonly clock: Clock;
}

export class Identifier {
  readonly #parts: IdentifierParts;

  constructor(parts: IdentifierParts) {
    this.#parts = parts;
  }

  /** Throws the refusal. No promise for a token whose verifier need not read. */
  identify(
    sent: SentCredential,
    request: Request,
    reply: Reply | undefined,
    rule: Rule,
  ): Principal | Promise<Principal> {
    switch (sent.kind) {
      case 'none':
        return this.#byQuery(request, rule);
      case 'malformed': {
        const besides = keyBeside(request);
        if (besides !== undefined) return this.#byKey(besides, rule, request);
        throw errors.malformed_credentials({ values: { accepted: rule.accepted }, ...challenge(rule) });
      }
      case 'key':
        return this.#byKey(sent.key, rule, request);
      case 'token':
        return this.#byToken(sent, request, reply, rule);
      case 'basic':
        return this.#byBasic(sent, request, reply, rule);
      default:
        return this.#bySession(sent.token, request, reply, rule);
    }
  }

  async #withoutCredential(
    request: Request,
    rule: Rule,
    refusal: 'missing_credentials' | 'invalid_session',
  ): Promise<Principal> {
    const { anonymous } = this.#parts;
    if (rule.optional) return anonymous;
    if (rule.takesSessions && !(await this.#parts.admin.requiresLogin())) {
      // Open to everyone who reaches the server, but not to any web page open in their browser.
      if (changesState(request) && checkOrigin(request) === 'other') throw errors.cross_origin();
      return UNGUARDED;
    }
    if (rule.takesKeys && rule.keyScopes.some((scope) => anonymous.scopes.includes(scope))) return anonymous;
    throw errors[refusal]({ values: { accepted: rule.accepted }, ...challenge(rule) });
  }

  async #byKey(key: string, rule: Rule, request: Request): Promise<Principal> {
    if (!rule.takesKeys) throw notAccepted('API keys', rule);
    await this.#parts.freshness.ensure();
    const known = await this.#parts.lookup.find(sha256(key));
    if (known === undefined) {
      const besides = keyBeside(request);
      if (besides !== undefined && besides !== key) return this.#byKey(besides, rule, request);
      throw errors.invalid_api_key(challenge(rule, 'invalid_token'));
    }
    const now = this.#parts.clock.now();
    const refusal = this.refuseKey(known, rule, now, request);
    if (refusal !== undefined) throw refusal;
    this.#parts.use.record(known.principal.id, now);
    return known.principal;
  }

  /** Why an existing key does not open the route. */
  refuseKey(known: KnownKey, rule: Rule, now: number, request: Request): ServiceError | undefined {
    return (
      this.#refuseEverywhere(known, rule, now, request) ??
      (holdsOne(known.principal, rule.keyScopes)
        ? undefined
        : insufficientScope('API key', known.principal.name, rule.keyScopes))
    );
  }

  /** Why an existing key opens nothing from this client. */
  #refuseEverywhere(
    { principal, expiresAt, revoked, addresses }: KnownKey,
    rule: Rule,
    now: number,
    { ip }: Request,
  ): ServiceError | undefined {
    if (revoked) {
      this.#parts.trail.refused('use of a key', 'api_key_revoked', principalId(principal), ip);
      return errors.api_key_revoked(challenge(rule, 'invalid_token'));
    }
    if (now >= expiresAt) {
      const at = new Date(expiresAt).toISOString();
      return errors.api_key_expired({ values: { at }, ...challenge(rule, 'invalid_token') });
    }
    return addresses === undefined || addresses.check(ip, ip.includes(':') ? 'ipv6' : 'ipv4')
      ? undefined
      : errors.address_not_allowed({ values: { address: ip } });
  }

  #byToken(
    sent: Extract<SentCredential, { kind: 'token' }>,
    request: Request,
    reply: Reply | undefined,
    rule: Rule,
  ): Principal | Promise<Principal> {
    if (!rule.takesTokens) throw unknownToken(rule);
    const judge = (principal: Principal | undefined): Principal | Promise<Principal> => {
      if (principal === undefined) {
        const key = keyBeside(request);
        if (key !== undefined) return this.#byKey(key, rule, request);
        throw unknownToken(rule);
      }
      const besides = keyHeader(request.headers);
      if (principal.kind === 'person' && besides !== undefined && besides !== sent.token)
        return this.#besideKey(besides, principal, request, rule);
      if (reply !== undefined) tellScopes(reply, principal, rule);
      return scoped(principal, rule);
    };
    const verified = this.#verify({ scheme: sent.scheme, token: sent.token }, request);
    return verified instanceof Promise ? verified.then(judge) : judge(verified);
  }

  /** A person's token with an application's key, as supabase-js sends: both must be valid, the caller is the person. */
  async #besideKey(key: string, person: Principal, request: Request, rule: Rule): Promise<Principal> {
    await this.#parts.freshness.ensure();
    const known = isApiKey(key) ? await this.#parts.lookup.find(sha256(key)) : undefined;
    if (known === undefined) throw errors.invalid_api_key(challenge(rule, 'invalid_token'));
    const refusal = this.#refuseEverywhere(known, rule, this.#parts.clock.now(), request);
    if (refusal !== undefined) throw refusal;
    return scoped(person, rule);
  }

  async #byBasic(
    { login, password }: Extract<SentCredential, { kind: 'basic' }>,
    request: Request,
    reply: Reply | undefined,
    rule: Rule,
  ): Promise<Principal> {
    if (!rule.takesUsers && !rule.takesApps && !rule.namesTokens)
      throw notAccepted('Basic credentials', rule);
    await this.#parts.freshness.ensure();
    if (rule.namesTokens || rule.takesUsers) {
      const principal = await this.#verify({ scheme: 'basic', token: password, login }, request);
      if (principal !== undefined && reply !== undefined) tellScopes(reply, principal, rule);
      if (principal !== undefined && rule.namesTokens) return scoped(principal, rule);
      if (principal !== undefined) throw notAccepted('tokens', rule);
    }
    if (rule.takesApps) {
      const app = await this.#parts.apps.verify(login, password);
      if (app !== null) return { kind: 'app', app, scopes: [] };
    }
    if (!rule.takesUsers) throw errors.bad_credentials(challenge(rule));
    const otp = request.headers['x-github-otp'];
    const user = await this.#parts.userLogin.verify(
      { login, password, otp: typeof otp === 'string' ? otp : undefined, address: request.ip },
      challenge(rule),
    );
    return { kind: 'user', user, scopes: [], via: 'basic' };
  }

  /**
   * Old clients name their application in the query. Accepted where no credential is needed, for reads: there it only
   * decides to whom requests are counted.
   */
  async #byQuery(request: Request, rule: Rule): Promise<Principal> {
    const { client_id: id, client_secret: secret } = request.query as Readonly<Record<string, unknown>>;
    if (!namesApplication(request, rule) || typeof id !== 'string' || typeof secret !== 'string')
      return this.#withoutCredential(request, rule, 'missing_credentials');
    const app = await this.#parts.apps.verify(id, secret);
    if (app === null) throw errors.bad_credentials(challenge(rule));
    return { kind: 'app', app, scopes: [] };
  }

  async #bySession(
    token: string,
    request: Request,
    reply: Reply | undefined,
    rule: Rule,
  ): Promise<Principal> {
    if (!rule.takesSessions) return this.#withoutCredential(request, rule, 'missing_credentials');
    await this.#parts.freshness.ensure();
    const session = await this.#parts.sessions.use(token);
    if (session === undefined) return this.#withoutCredential(request, rule, 'invalid_session');
    const operator = await this.#parts.login.operator(session.user);
    if (operator === undefined) return this.#withoutCredential(request, rule, 'invalid_session');
    refuseForgery(request, token);
    if (session.extended && reply !== undefined)
      setSessionCookie(request, reply, token, this.#parts.sessions.lifetime);
    return this.#ofOperator(session.id, operator, request, rule);
  }

  #ofOperator(id: string, { access, user }: Operator, request: Request, rule: Rule): Principal {
    const scopes =
      access === 'member' ? this.#parts.memberScopes : access === 'admin' || isReading(request) ? [ALL] : [];
    const principal: Principal = { kind: 'session', id, access, ...(user && { user }), scopes };
    if (rule.optional || rule.members || holdsOne(principal, rule.keyScopes)) return principal;
    if (access === 'viewer') throw errors.viewers_look();
    throw insufficientScope('access of', user?.login ?? access, rule.keyScopes);
  }

  /** A person of an issuer, or the result of the registered verifiers. */
  #verify(
    credential: Parameters<TokenVerifier>[0],
    request: Request,
  ): Principal | undefined | Promise<Principal | undefined> {
    const person = credential.scheme === 'basic' ? undefined : this.#parts.issuers.verify(credential.token);
    const { freshness, verifiers } = this.#parts;
    const ask = () =>
      freshness.isFresh()
        ? verifiers.verify(credential, request)
        : freshness.ensure().then(() => verifiers.verify(credential, request));
    if (person instanceof Promise) return person.then((found) => found ?? ask());
    return person ?? ask();
  }
}

/** Clients that always send `Authorization` put the real key into another header. */
function keyBeside({ headers }: Request): string | undefined {
  const key = keyHeader(headers);
  return key !== undefined && isApiKey(key) ? key : undefined;
}

/** As old clients do in the query. */
export function namesApplication(request: Request, rule: Rule): boolean {
  if (!rule.optional || !rule.takesApps || changesState(request)) return false;
  return (request.query as Readonly<Record<string, unknown>>)['client_id'] !== undefined;
}
