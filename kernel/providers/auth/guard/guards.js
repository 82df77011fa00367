import { sha256 } from '../../../sdk/crypto.js';
import { errors } from '../errors.js';
import { readCredential } from './credential.js';
import { keyHash } from './key-hash.js';
import { changesState, checkOrigin, refuseForgery } from './origin.js';
import { challenge, makeRule, MANAGE } from './rule.js';
import { readSessionCookie, setSessionCookie } from './session-cookie.js';
const ANONYMOUS = Object.freeze({ kind: 'anonymous', scopes: [] });
/** Whoever asks while management needs no login. */
const UNGUARDED = Object.freeze({ kind: 'anonymous', scopes: [MANAGE] });
const PRINCIPAL = Symbol('plugboard.principal');
export class Guards {
    #parts;
    #verifiers = new Set();
    constructor(parts) {
        this.#parts = parts;
    }
    /**
     * A hook with a callback: an API key that is cached, which is nearly every request, passes without a
     * promise.
     */
    guard(credentials, options) {
        const rule = makeRule([credentials].flat(), options);
        const hook = (request, reply, done) => {
            const hash = rule.takesKeys ? keyHash(request) : undefined;
            const now = this.#parts.clock.now();
            const known = hash === undefined ? undefined : this.#parts.lookup.cached(hash, now);
            if (known !== undefined) {
                const refusal = this.#refuseKey(known, rule, now);
                if (refusal === undefined) {
                    setPrincipal(request, known.principal);
                    this.#parts.use.record(known.principal.id, now);
                }
                done(refusal);
                return;
            }
            this.#identify(request, reply, rule).then((principal) => {
                setPrincipal(request, principal);
                done();
            }, done);
        };
        const { credentials: kinds, optional, scope, schemes } = rule;
        return Object.assign(hook, { credentials: kinds, optional, scope, schemes });
    }
    principal(request) {
        const principal = request[PRINCIPAL];
        if (principal !== undefined)
            return principal;
        throw new TypeError(`${request.method} ${request.routeOptions.url ?? ''} asks for its principal but has no guard: add "onRequest: auth.guard(...)"`);
    }
    registerVerifier(verifier) {
        // Registered twice, it can be removed once: each registration is its own.
        const own = (credential, request) => verifier(credential, request);
        this.#verifiers.add(own);
        return () => void this.#verifiers.delete(own);
    }
    async #identify(request, reply, rule) {
        const sent = readCredential(request.headers, readSessionCookie(request));
        switch (sent.kind) {
            case 'none':
                return this.#withoutCredential(request, rule, 'missing_credentials');
            case 'malformed':
                throw errors.malformed_credentials({ values: { accepted: rule.accepted }, ...challenge(rule) });
            case 'key':
                return this.#byKey(sent.key, rule);
            case 'token':
                return this.#byToken(sent, request, rule);
            case 'basic':
                return this.#byBasic(sent, request, rule);
            default:
                return this.#bySession(sent.token, request, reply, rule);
        }
    }
    async #withoutCredential(request, rule, refusal) {
        if (rule.optional)
            return ANONYMOUS;
        if (rule.takesSessions && !(await this.#parts.admin.requiresLogin())) {
            // Open to whoever reaches the server, but not to any web page that is open in their browser.
            if (changesState(request) && checkOrigin(request) === 'other')
                throw errors.cross_origin();
            return UNGUARDED;
        }
        throw errors[refusal]({ values: { accepted: rule.accepted }, ...challenge(rule) });
    }
    async #byKey(key, rule) {
        if (!rule.takesKeys)
            throw notAccepted('API keys', rule);
        const known = await this.#parts.lookup.find(sha256(key));
        if (known === undefined)
            throw errors.invalid_api_key(challenge(rule, 'invalid_token'));
        const now = this.#parts.clock.now();
        const refusal = this.#refuseKey(known, rule, now);
        if (refusal !== undefined)
            throw refusal;
        this.#parts.use.record(known.principal.id, now);
        return known.principal;
    }
    /** Why a key that exists does not open the route. */
    #refuseKey({ principal, expiresAt, revoked }, rule, now) {
        if (revoked)
            return errors.api_key_revoked(challenge(rule, 'invalid_token'));
        if (now >= expiresAt) {
            const at = new Date(expiresAt).toISOString();
            return errors.api_key_expired({ values: { at }, ...challenge(rule, 'invalid_token') });
        }
        for (const scope of rule.keyScopes) {
            if (!allows(principal, scope))
                return insufficientScope('API key', principal.name, scope);
        }
        return undefined;
    }
    async #byToken(sent, request, rule) {
        if (!rule.takesTokens) {
            throw rule.takesKeys
                ? errors.invalid_api_key(challenge(rule, 'invalid_token'))
                : notAccepted('tokens', rule);
        }
        const principal = await this.#verify({ scheme: sent.scheme, token: sent.token }, request);
        if (principal === undefined)
            throw errors.invalid_token(challenge(rule, 'invalid_token'));
        return scoped(principal, rule);
    }
    async #byBasic({ login, password }, request, rule) {
        if (!rule.takesUsers && !rule.takesApps && !rule.takesTokens)
            throw notAccepted('Basic credentials', rule);
        if (rule.takesTokens || rule.takesUsers) {
            const principal = await this.#verify({ scheme: 'basic', token: password, login }, request);
            if (principal !== undefined && rule.takesTokens)
                return scoped(principal, rule);
            if (principal !== undefined)
                throw notAccepted('tokens', rule);
        }
        if (rule.takesApps) {
            const app = await this.#parts.apps.verify(login, password);
            if (app !== null)
                return { kind: 'app', app, scopes: [] };
        }
        if (!rule.takesUsers)
            throw errors.bad_credentials(challenge(rule));
        const otp = request.headers['x-github-otp'];
        const user = await this.#parts.userLogin.verify({ login, password, otp: typeof otp === 'string' ? otp : undefined, address: request.ip }, challenge(rule));
        return { kind: 'user', user, scopes: [], via: 'basic' };
    }
    async #bySession(token, request, reply, rule) {
        if (!rule.takesSessions)
            return this.#withoutCredential(request, rule, 'missing_credentials');
        const session = await this.#parts.sessions.use(token);
        if (session === undefined)
            return this.#withoutCredential(request, rule, 'invalid_session');
        refuseForgery(request, token);
        if (session.extended)
            setSessionCookie(request, reply, token, this.#parts.sessions.lifetime);
        return { kind: 'session', id: session.id, scopes: ['*'] };
    }
    async #verify(credential, request) {
        for (const verifier of this.#verifiers) {
            const principal = await verifier(credential, request);
            if (principal !== undefined)
                return principal ?? undefined;
        }
        return undefined;
    }
}
export const allows = ({ scopes }, scope) => scopes.includes(scope) || scopes.includes('*');
/** On the request itself: a WeakMap beside it costs more than all the rest of a guard. */
function setPrincipal(request, principal) {
    request[PRINCIPAL] = principal;
}
function scoped(principal, { scope }) {
    if (scope === undefined || allows(principal, scope))
        return principal;
    throw insufficientScope('token of', principal.kind === 'user' ? principal.user.login : principal.kind, scope);
}
function insufficientScope(kind, name, scope) {
    return errors.insufficient_scope({
        values: { kind, name, scope },
        headers: { 'www-authenticate': `Bearer realm="plugboard", error="insufficient_scope", scope="${scope}"` },
    });
}
function notAccepted(sent, rule) {
    return errors.credential_not_accepted({ values: { sent, accepted: rule.accepted }, ...challenge(rule) });
}
//# sourceMappingURL=guards.js.map