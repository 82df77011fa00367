/**
 * The guards: from the headers of a request to a principal, or to the refusal.
 *
 * One rule for every guard: a credential that is sent is checked, even if none is needed. The exception is the session
 * cookie, which browsers send unasked: an ended session counts as none.
 */
import type { Consumer, Credential, Guard, GuardOptions, Principal, Reply, Request } from 'plugboard/sdk';
import { readCredential } from './credential.js';
import { Identifier, namesApplication, type IdentifierParts } from './identify.js';
import { keyHash } from './key-hash.js';
import { isReading } from './origin.js';
import { makeRule, type Rule } from './rule.js';
import { readSessionCookie } from './session-cookie.js';

const PRINCIPAL = Symbol('plugboard.principal');
type Identified = Request & { [PRINCIPAL]?: Principal };

export class Guards {
  readonly #parts: IdentifierParts;
  readonly #identifier: Identifier;
  readonly #rules = new WeakMap<Guard, Rule>();

  constructor(parts: IdentifierParts) {
    this.#parts = parts;
    this.#identifier = new Identifier(parts);
  }

  /**
   * A hook with a callback. No promise for the common cases: a cached API key (nearly every request), a token whose
   * verifier need not read, and a caller without a credential where none is needed.
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
      // Shared caches must not keep what one caller may read; a route may override this.
      reply.header('cache-control', 'no-store');
      const hash = rule.takesKeys ? keyHash(request) : undefined;
      const now = hash === undefined ? 0 : this.#parts.clock.now();
      const known = hash === undefined ? undefined : this.#parts.lookup.cached(hash, now);
      if (known !== undefined && this.#parts.freshness.isFresh()) {
        const refusal = this.#identifier.refuseKey(known, rule, now, request);
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
        principal = this.#identifier.identify(sent, request, reply, rule);
      } catch (error) {
        done(error as Error);
        return;
      }
      if (principal instanceof Promise) principal.then(identified, done);
      else identified(principal);
    };
    const { credentials: kinds, optional, keyScopes, schemes, security } = rule;
    const guard = Object.assign(hook, { credentials: kinds, optional, scopes: keyScopes, schemes, security });
    this.#rules.set(guard, rule);
    return guard;
  }

  /** Sets no headers: the answer has begun. */
  async identify(guard: Guard, request: Request, headers = request.headers): Promise<Principal> {
    const rule = this.#rules.get(guard);
    if (rule === undefined) throw new TypeError('the guard is not of this provider');
    const asked = Object.create(request, { headers: { value: headers } }) as Request;
    const sent = readCredential(headers, readSessionCookie(asked));
    if (sent.kind === 'none' && rule.optional) return this.#parts.anonymous;
    return this.#identifier.identify(sent, asked, undefined, rule);
  }

  principal(request: Request): Principal {
    const principal = (request as Identified)[PRINCIPAL];
    if (principal !== undefined) return principal;
    throw new TypeError(
      `${request.method} ${request.routeOptions.url ?? ''} asks for its principal but has no guard: add "onRequest: auth.guard(...)"`,
    );
  }
}

/** Changes by people and all management changes; what applications change in their own data is not audited. */
function isAudited(request: Request, principal: Principal, rule: Rule): boolean {
  if (isReading(request)) return false;
  return principal.kind === 'session' || rule.isManagement;
}

/** On the request itself: a WeakMap costs more than the rest of a guard. */
function setPrincipal(request: Request, principal: Principal): void {
  (request as Identified)[PRINCIPAL] = principal;
}
