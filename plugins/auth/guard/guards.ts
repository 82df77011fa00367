/**
 * The guards: from the headers of a request to a principal, or to the refusal.
 *
 * One rule for every guard: a credential that is sent is judged, also where none is needed. Only a session
 * cookie is exempt, because browsers send it unasked: one that has ended counts as none.
 */
import {
  type Clock,
  type Consumer,
  type Credential,
  type Guard,
  type GuardOptions,
  type Principal,
  type Reply,
  type Request,
  type ServiceError,
  type TokenVerifier,
  sha256,
  principalId,
} from 'plugboard/sdk';
import type { AdminLogin, Operator } from '../admin/login.js';
import type { AdminSettings } from '../admin/settings.js';
import type { Sessions } from '../admin/sessions.js';
import type { Applications } from '../apps/applications.js';
import { errors } from '../errors.js';
import type { KeyLookup, KnownKey } from '../keys/lookup.js';
import type { KeyUse } from '../keys/last-used.js';
import type { UserLogin } from '../users/login.js';
import { ALL, allows, MANAGE } from '../allows.js';
import type { Issuers } from '../issuers/issuers.js';
import { isApiKey } from '../keys/key-format.js';
import { keyHeader, readCredential, type SentCredential } from './credential.js';
import type { Freshness } from './freshness.js';
import { keyHash } from './key-hash.js';
import { changesState, checkOrigin, refuseForgery } from './origin.js';
import { challenge, makeRule, type Rule } from './rule.js';
import type { Trail } from '../trail.js';
import { readSessionCookie, setSessionCookie } from './session-cookie.js';

/** Whoever asks while management needs no login: the administrator, as a session is. */
const UNGUARDED: Principal = Object.freeze({ kind: 'anonymous', scopes: ['*'] });

const PRINCIPAL = Symbol('plugboard.principal');
type Identified = Request & { [PRINCIPAL]?: Principal };

export interface GuardParts {
  readonly lookup: KeyLookup;
  readonly use: KeyUse;
  readonly sessions: Sessions;
  readonly admin: AdminSettings;
  readonly userLogin: UserLogin;
  readonly login: Pick<AdminLogin, 'operator'>;
  /** What people with the access `member` may do. */
  readonly memberScopes: readonly string[];
  readonly apps: Applications;
  readonly issuers: Issuers;
  readonly freshness: Freshness;
  readonly trail: Trail;
  /** Who asks without a credential, with what the config grants them. */
  readonly anonymous: Extract<Principal, { kind: 'anonymous' }>;
  readonly clock: Clock;
}

export class Guards {
  readonly #parts: GuardParts;
  /** Replaced by each change, as a request may be half way through it. */
  #verifiers: readonly TokenVerifier[] = [];

  constructor(parts: GuardParts) {
    this.#parts = parts;
  }

  /**
   * A hook with a callback: an API key that is cached, which is nearly every request, a token whose verifier need not
   * read, and a caller without a credential where none is needed pass without a promise.
   */
  guard(
    plugin: Pick<Consumer, 'id' | 'scopes'>,
    credentials: Credential | readonly Credential[],
    options: GuardOptions = {},
  ): Guard {
    const rule = makeRule([credentials].flat(), options, plugin);
    const hook = (request: Request, reply: Reply, done: (error?: Error) => void): void => {
      const identified = (principal: Principal): void => {
        setPrincipal(request, principal);
        if (isAudited(request, principal, rule))
          this.#parts.trail.change(request, reply, principal).then(() => done(), done);
        else done();
      };
      // What one caller may read is for no cache on the way; a route that knows better says so.
      reply.header('cache-control', 'no-store');
      const hash = rule.takesKeys ? keyHash(request) : undefined;
      const now = hash === undefined ? 0 : this.#parts.clock.now();
      const known = hash === undefined ? undefined : this.#parts.lookup.cached(hash, now);
      if (known !== undefined && this.#parts.freshness.isFresh()) {
        const refusal = this.#refuseKey(known, rule, now, request);
        if (refusal === undefined) {
          this.#parts.use.record(known.principal.id, now);
          identified(known.principal);
        } else {
          done(refusal);
        }
        return;
      }
      const sent = readCredential(request.headers, readSessionCookie(request));
      if (sent.kind === 'none' && rule.optional && !namesApplication(request, rule)) {
        setPrincipal(request, this.#parts.anonymous);
        done();
        return;
      }
      let principal: Principal | Promise<Principal>;
      try {
        principal = this.#identify(sent, request, reply, rule);
      } catch (error) {
        done(error as Error);
        return;
      }
      if (principal instanceof Promise) principal.then(identified, done);
      else identified(principal);
    };
    const { credentials: kinds, optional, keyScopes, schemes, security } = rule;
    return Object.assign(hook, { credentials: kinds, optional, scopes: keyScopes, schemes, security });
  }

  principal(request: Request): Principal {
    const principal = (request as Identified)[PRINCIPAL];
    if (principal !== undefined) return principal;
    throw new TypeError(
      `${request.method} ${request.routeOptions.url ?? ''} asks for its principal but has no guard: add "onRequest: auth.guard(...)"`,
    );
  }

  registerVerifier(verifier: TokenVerifier): () => void {
    // Registered twice, it can be removed once: each registration is its own.
    const own: TokenVerifier = (credential, request) => verifier(credential, request);
    this.#verifiers = [...this.#verifiers, own];
    return () => (this.#verifiers = this.#verifiers.filter((other) => other !== own));
  }

  #identify(
    sent: SentCredential,
    request: Request,
    reply: Reply,
    rule: Rule,
  ): Principal | Promise<Principal> {
    switch (sent.kind) {
      case 'none':
        return this.#byQuery(request, rule);
      case 'malformed':
        throw errors.malformed_credentials({ values: { accepted: rule.accepted }, ...challenge(rule) });
      case 'key':
        return this.#byKey(sent.key, rule, request);
      case 'token':
        return this.#byToken(sent, request, rule);
      case 'basic':
        return this.#byBasic(sent, request, rule);
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
      // Open to whoever reaches the server, but not to any web page that is open in their browser.
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
    if (known === undefined) throw errors.invalid_api_key(challenge(rule, 'invalid_token'));
    const now = this.#parts.clock.now();
    const refusal = this.#refuseKey(known, rule, now, request);
    if (refusal !== undefined) throw refusal;
    this.#parts.use.record(known.principal.id, now);
    return known.principal;
  }

  /** Why a key that exists does not open the route. */
  #refuseKey(known: KnownKey, rule: Rule, now: number, request: Request): ServiceError | undefined {
    return (
      this.#refuseEverywhere(known, rule, now, request) ??
      (holdsOne(known.principal, rule.keyScopes)
        ? undefined
        : insufficientScope('API key', known.principal.name, rule.keyScopes))
    );
  }

  /** Why a key that exists opens nothing from here. */
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
    rule: Rule,
  ): Principal | Promise<Principal> {
    if (!rule.takesTokens) throw unknownToken(rule);
    const judge = (principal: Principal | undefined): Principal | Promise<Principal> => {
      const besides = keyHeader(request.headers);
      // Clients that always send `Authorization` put a real key into a header of its own.
      if (principal === undefined && besides !== undefined && isApiKey(besides))
        return this.#byKey(besides, rule, request);
      if (principal === undefined) throw unknownToken(rule);
      if (principal.kind === 'person' && besides !== undefined && besides !== sent.token)
        return this.#besideKey(besides, principal, request, rule);
      return scoped(principal, rule);
    };
    const verified = this.#verify({ scheme: sent.scheme, token: sent.token }, request);
    return verified instanceof Promise ? verified.then(judge) : judge(verified);
  }

  /** A person's token with an application's key, as supabase-js sends them: both must be valid, the person asks. */
  async #besideKey(key: string, person: Principal, request: Request, rule: Rule): Promise<Principal> {
    const known = isApiKey(key) ? await this.#parts.lookup.find(sha256(key)) : undefined;
    if (known === undefined) throw errors.invalid_api_key(challenge(rule, 'invalid_token'));
    const refusal = this.#refuseEverywhere(known, rule, this.#parts.clock.now(), request);
    if (refusal !== undefined) throw refusal;
    return scoped(person, rule);
  }

  async #byBasic(
    { login, password }: Extract<SentCredential, { kind: 'basic' }>,
    request: Request,
    rule: Rule,
  ): Promise<Principal> {
    if (!rule.takesUsers && !rule.takesApps && !rule.namesTokens)
      throw notAccepted('Basic credentials', rule);
    await this.#parts.freshness.ensure();
    if (rule.namesTokens || rule.takesUsers) {
      const principal = await this.#verify({ scheme: 'basic', token: password, login }, request);
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
   * Old clients name their application in the query. It is taken where no credential is needed, for reads: there it
   * changes whose requests are counted, and nothing else.
   */
  async #byQuery(request: Request, rule: Rule): Promise<Principal> {
    const { client_id: id, client_secret: secret } = request.query as Readonly<Record<string, unknown>>;
    if (!namesApplication(request, rule) || typeof id !== 'string' || typeof secret !== 'string')
      return this.#withoutCredential(request, rule, 'missing_credentials');
    const app = await this.#parts.apps.verify(id, secret);
    if (app === null) throw errors.bad_credentials(challenge(rule));
    return { kind: 'app', app, scopes: [] };
  }

  async #bySession(token: string, request: Request, reply: Reply, rule: Rule): Promise<Principal> {
    if (!rule.takesSessions) return this.#withoutCredential(request, rule, 'missing_credentials');
    await this.#parts.freshness.ensure();
    const session = await this.#parts.sessions.use(token);
    if (session === undefined) return this.#withoutCredential(request, rule, 'invalid_session');
    const operator = await this.#parts.login.operator(session.user);
    if (operator === undefined) return this.#withoutCredential(request, rule, 'invalid_session');
    refuseForgery(request, token);
    if (session.extended) setSessionCookie(request, reply, token, this.#parts.sessions.lifetime);
    return this.#ofOperator(session.id, operator, request, rule);
  }

  #ofOperator(id: string, { access, user }: Operator, request: Request, rule: Rule): Principal {
    const reads = !changesState(request) || request.routeOptions.config.readOnly === true;
    const scopes = access === 'member' ? this.#parts.memberScopes : access === 'admin' || reads ? [ALL] : [];
    const principal: Principal = { kind: 'session', id, access, ...(user && { user }), scopes };
    if (rule.optional || rule.members || holdsOne(principal, rule.keyScopes)) return principal;
    if (access === 'viewer') throw errors.viewers_look();
    throw insufficientScope('access of', user?.login ?? access, rule.keyScopes);
  }

  /** A person of an issuer, or what the registered verifiers answer. */
  #verify(
    credential: Parameters<TokenVerifier>[0],
    request: Request,
  ): Principal | undefined | Promise<Principal | undefined> {
    const person = credential.scheme === 'basic' ? undefined : this.#parts.issuers.verify(credential.token);
    const { freshness } = this.#parts;
    const ask = () =>
      freshness.isFresh()
        ? this.#askVerifiers(credential, request, this.#verifiers)
        : freshness.ensure().then(() => this.#askVerifiers(credential, request, this.#verifiers));
    if (person instanceof Promise) return person.then((found) => found ?? ask());
    return person ?? ask();
  }

  /** One after the other. */
  #askVerifiers(
    credential: Parameters<TokenVerifier>[0],
    request: Request,
    [verifier, ...others]: readonly TokenVerifier[],
  ): Principal | undefined | Promise<Principal | undefined> {
    if (verifier === undefined) return undefined;
    const judge = (
      principal: Principal | null | undefined,
    ): Principal | undefined | Promise<Principal | undefined> =>
      principal === undefined
        ? this.#askVerifiers(credential, request, others)
        : (principal ?? undefined) && withoutManagement(principal as Principal);
    const principal = verifier(credential, request);
    return principal instanceof Promise ? principal.then(judge) : judge(principal);
  }
}

/** What people change, and every change of the management; what applications do with their own data is no one's to audit here. */
function isAudited(request: Request, principal: Principal, rule: Rule): boolean {
  if (!changesState(request) || request.routeOptions.config.readOnly === true) return false;
  return principal.kind === 'session' || rule.isManagement;
}

/** A token never opens the management of the server, whoever has verified it. */
function withoutManagement(principal: Principal): Principal {
  if (!allows(principal, MANAGE)) return principal;
  return { ...principal, scopes: principal.scopes.filter((scope) => scope !== MANAGE && scope !== ALL) };
}

function namesApplication(request: Request, rule: Rule): boolean {
  if (!rule.optional || !rule.takesApps || changesState(request)) return false;
  return (request.query as Readonly<Record<string, unknown>>)['client_id'] !== undefined;
}

/** On the request itself: a WeakMap beside it costs more than all the rest of a guard. */
function setPrincipal(request: Request, principal: Principal): void {
  (request as Identified)[PRINCIPAL] = principal;
}

/** A person needs what a key needs; a token of a verifier may be asked for less. */
function scoped(principal: Principal, { scopes, keyScopes, takesKeys }: Rule): Principal {
  const needed = principal.kind === 'person' && takesKeys ? keyScopes : scopes;
  if (holdsOne(principal, needed)) return principal;
  throw insufficientScope('token of', nameOf(principal), needed);
}

function nameOf(principal: Principal): string {
  if (principal.kind === 'user') return principal.user.login;
  return principal.kind === 'person' ? principal.id : principal.kind;
}

/** Of no scopes everybody holds one. */
function holdsOne(principal: Principal, scopes: readonly string[]): boolean {
  return scopes.length === 0 || scopes.some((scope) => allows(principal, scope));
}

function insufficientScope(
  kind: string,
  name: string,
  [first = '', ...others]: readonly string[],
): ServiceError {
  const scope = [first, ...others].join('" or "');
  const challenged = `Bearer realm="plugboard", error="insufficient_scope", scope="${first}"`;
  return errors.insufficient_scope({
    values: { kind, name, scope },
    headers: { 'www-authenticate': challenged },
  });
}

/** Where API keys are taken, a text that nobody knows is most likely a wrong one. */
function unknownToken(rule: Rule): ServiceError {
  if (rule.namesTokens) return errors.invalid_token(challenge(rule, 'invalid_token'));
  return rule.takesKeys
    ? errors.invalid_api_key(challenge(rule, 'invalid_token'))
    : notAccepted('tokens', rule);
}

function notAccepted(sent: string, rule: Rule): ServiceError {
  return errors.credential_not_accepted({ values: { sent, accepted: rule.accepted }, ...challenge(rule) });
}
