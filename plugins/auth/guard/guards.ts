/**
 * The guards: from the headers of a request to a principal, or to the refusal.
 *
 * One rule for every guard: a credential that is sent is judged, also where none is needed. Only a session
 * cookie is exempt, because browsers send it unasked: one that has ended counts as none.
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

  /** Tells no client anything by headers: its answer has begun. */
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

/** What people change, and every change of the management; what applications do with their own data is no one's to audit here. */
function isAudited(request: Request, principal: Principal, rule: Rule): boolean {
  if (isReading(request)) return false;
  return principal.kind === 'session' || rule.isManagement;
}

/** On the request itself: a WeakMap beside it costs more than all the rest of a guard. */
function setPrincipal(request: Request, principal: Principal): void {
  (request as Identified)[PRINCIPAL] = principal;
}
