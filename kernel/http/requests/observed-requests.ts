/** Observes requests and guards. Made only if a plugin observes them. */
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { errorName, type Observation, type Span } from '../../hooks/observation.js';
import { ownerOf as tenantOf, principalId, type Auth, type Guard } from '../../sdk/services/auth.js';
import type { Asker, Carried } from '../../sdk/plugin/hooks.js';
import type { Routes } from '../../sdk/http/routes.js';
import { ownerOf } from '../routes/owner.js';

const OBSERVED = Symbol('plugboard.observed');
type Observed = FastifyRequest & { [OBSERVED]?: { span?: Span<'request'>; asker?: Asker } };

const NOBODY: Asker = Object.freeze({ principal: null, tenant: null });

export class ObservedRequests {
  readonly #observation: Observation;
  readonly #auth: () => Auth | undefined;

  /** Undefined if nobody observes. */
  static of(observation: Observation, auth: () => Auth | undefined): ObservedRequests | undefined {
    const isSeen = observation.observes('request') || observation.observes('guard');
    return isSeen ? new ObservedRequests(observation, auth) : undefined;
  }

  private constructor(observation: Observation, auth: () => Auth | undefined) {
    this.#observation = observation;
    this.#auth = auth;
  }

  attach(app: Routes): void {
    app.addHook('onRoute', (route) => this.#observeGuards(route));
    // The body is read in the socket's async context: this restores the request's own.
    app.addHook('preValidation', (request, _reply, done) => {
      const span = (request as Observed)[OBSERVED]?.span;
      if (span === undefined) done();
      else span.run(done);
    });
  }

  /** Runs what follows inside the request. */
  begin(request: FastifyRequest, follow: () => void): void {
    const own: NonNullable<Observed[typeof OBSERVED]> = {};
    (request as Observed)[OBSERVED] = own;
    if (!this.#observation.observes('request')) return follow();
    own.span = this.#observation.begin('request', {
      id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? '',
      plugin: pluginOf(request),
      carried: carriedBy(request),
    });
    own.span.run(follow);
  }

  end(request: FastifyRequest, reply: FastifyReply): void {
    const { span, asker = NOBODY } = (request as Observed)[OBSERVED] ?? {};
    span?.end({ ...asker, status: reply.raw.headersSent ? reply.statusCode : null });
  }

  #observeGuards(route: RouteOptions): void {
    if (route.onRequest === undefined) return;
    route.onRequest = [route.onRequest].flat().map((hook) => (isGuard(hook) ? this.#observed(hook) : hook));
  }

  /** Keeps the guard's properties, for the OpenAPI document. */
  #observed(guard: Guard): Guard {
    const observation = this.#observation;
    const asker = (request: FastifyRequest): Asker => this.#askerOf(request);
    const hook: typeof guard = function (request, reply, done) {
      const span = observation.observes('guard')
        ? observation.begin('guard', { plugin: pluginOf(request) })
        : undefined;
      const own = ((request as Observed)[OBSERVED] ??= {});
      const judged = (refusal?: Error): void => {
        own.asker = asker(request);
        span?.end({ ...own.asker, error: refusal === undefined ? null : errorName(refusal) });
        if (own.span === undefined) done(refusal);
        else own.span.run(() => done(refusal));
      };
      const judge = (): unknown => guard.call(this, request, reply, judged);
      const promise = span === undefined ? judge() : span.run(judge);
      if (guard.length < 3) void Promise.resolve(promise).then(() => judged(), judged);
    } as Guard;
    return Object.assign(hook, { ...guard });
  }

  #askerOf(request: FastifyRequest): Asker {
    try {
      const principal = this.#auth()?.principal(request);
      if (principal === undefined) return NOBODY;
      return { principal: principalId(principal), tenant: tenantOf(principal) };
    } catch {
      // Refused by the guard.
      return NOBODY;
    }
  }
}

function isGuard(hook: unknown): hook is Guard {
  return typeof hook === 'function' && 'credentials' in hook;
}

function pluginOf(request: FastifyRequest): string {
  return (request.is404 ? undefined : ownerOf(request.server)?.instance.id) ?? 'kernel';
}

const LONGEST = 1_000;

function carriedBy({ headers }: FastifyRequest): Carried {
  const { traceparent, tracestate } = headers;
  if (typeof traceparent !== 'string' || traceparent.length > LONGEST) return NOTHING;
  const isShort = typeof tracestate === 'string' && tracestate.length <= LONGEST;
  return Object.freeze({ traceparent, ...(isShort && { tracestate }) });
}

const NOTHING: Carried = Object.freeze({});
