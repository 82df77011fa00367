/** The stage of requests: each gets its turn, its id and its log, is refused if not allowed, then its body is read. */
import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import type { Logger } from 'pino';
import type { ServerConfig } from '../../config/shape.js';
import type { MetricsRegistry } from '../../metrics/registry.js';
import type { Observation } from '../../hooks/observation.js';
import type { Auth } from '../../sdk/services/auth.js';
import { answered } from '../../sdk/kit/answered.js';
import { randomToken } from '../../sdk/crypto.js';
import type { Routes } from '../../sdk/http/routes.js';
import { identify } from '../identify.js';
import { findHome, type Home } from '../routes/home.js';
import { ownerOf } from '../routes/owner.js';
import type { RouteTable } from '../routes/route-table.js';
import { refuseForeignHosts, refuseTwoHosts } from './allowed-hosts.js';
import { addBodyParsers, dropUnwantedBody, parseQuery } from './bodies.js';
import { allowOrigins, refusePreflight } from './cors.js';
import { refuseCrossSiteWrites } from './cross-site.js';
import { Durations } from './durations.js';
import { endTurn, inLine, paceBody } from './paced-input.js';
import { ObservedRequests } from './observed-requests.js';
import { refuseUnderPressure } from './pressure.js';
import { requestLog } from './request-log.js';
import { RouteValidators } from './validation.js';

export interface RequestsInput {
  readonly config: ServerConfig;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
  /** Whether a plugin's schemas must be checked: those of built-ins are checked by tests. */
  readonly assertSchemas: boolean;
  /** Response headers that plugins declare for browsers of other origins. */
  readonly exposedHeaders: readonly string[];
  readonly observation: Observation;
  /** Called at the first request that needs it; undefined if nothing provides it. */
  readonly auth: () => Auth | undefined;
}

/** Fastify's, for reads before a hook runs. */
export function requestOptions({ bodyLimit, trustProxy, requestTimeout }: ServerConfig) {
  return {
    bodyLimit,
    requestTimeout,
    trustProxy: typeof trustProxy === 'boolean' ? trustProxy : [...trustProxy],
    genReqId: requestIds(),
    routerOptions: { querystringParser: parseQuery, maxParamLength: 1024, ignoreTrailingSlash: false },
  } satisfies FastifyServerOptions;
}

/** Returns the path to which browsers are redirected from `/`. */
export async function takeRequests(app: Routes, routes: RouteTable, input: RequestsInput): Promise<Home> {
  const { config, log } = input;
  const durations = new Durations(input.metrics);
  const observed = ObservedRequests.of(input.observation, input.auth);
  observed?.attach(app);
  checkBodies(app, log);
  const { assertRouteSchemas } = input.assertSchemas ? await import('./request-schemas.js') : {};
  app.addHook('onRoute', function (route) {
    const instance = ownerOf(this)?.instance;
    if (instance?.tested === false) assertRouteSchemas?.(route);
    dropUnwantedBody(route);
    durations.measure(route, instance?.id ?? 'kernel');
  });
  const home = findHome(app);
  const refuseForeignHost = refuseForeignHosts(config);
  const refuseCrossSiteWrite = refuseCrossSiteWrites(config.cors.origins);
  const hasCors = config.cors.origins.length > 0;
  const refuseOverload = refuseUnderPressure(app, config.pressure.eventLoopDelay);
  const admit = (request: FastifyRequest, reply: FastifyReply, done: (refusal?: Error) => void): void => {
    const refusal =
      (hasCors ? undefined : refusePreflight(request)) ??
      refuseCrossSiteWrite(request) ??
      refuseOverload(request);
    // Before the body is read: nothing is parsed for a route that does not exist.
    if (refusal !== undefined || !request.is404) done(refusal);
    else if (!home.answer(request, reply)) done(routes.missing(request));
  };
  // Few hooks that do much: Fastify's step from one hook to the next costs as much as the work in it.
  app.addHook('onRequest', (request, reply, done) =>
    inLine(request.raw, () => {
      const arrival = performance.now();
      request.log = reply.log = requestLog(ownerOf(request.server)?.log ?? log, request.id);
      identify(reply.raw, request.id);
      // One listener of our own: an onResponse hook adds two and removes both again.
      reply.raw.on('close', () => {
        endTurn(request.raw);
        answered(reply);
        if (reply.raw.headersSent) durations.observe(request, reply, arrival);
        observed?.end(request, reply);
      });
      const follow = (): void => {
        const refusal = refuseTwoHosts(request) ?? refuseForeignHost(request);
        if (refusal !== undefined || hasCors) done(refusal);
        else admit(request, reply, done);
      };
      if (observed === undefined) follow();
      else observed.begin(request, follow);
    }),
  );
  if (hasCors) {
    // Later refusals carry the CORS headers.
    await allowOrigins(app, config.cors.origins, input.exposedHeaders);
    app.addHook('onRequest', admit);
  }
  app.addHook('preParsing', paceBody);
  addBodyParsers(app);
  return home;
}

/**
 * The client's own id if it is harmless in a log, so that a call can be followed across services; else a new one: a
 * random prefix of this server and a counter, which takes 43 ns where a random UUID takes 142.
 */
function requestIds(): (request: IncomingMessage) => string {
  const prefix = randomToken(9);
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && /^[\w.-]{8,64}$/.test(given)) return given;
    count += 1;
    return `${prefix}-${count}`;
  };
}

/** Against the schemas of routes, which are compiled once the server listens. */
function checkBodies(app: Routes, log: Logger): void {
  const validators = new RouteValidators();
  app.setValidatorCompiler(validators.compiler);
  app.addHook('onListen', (done) => {
    const end = validators.warm((err) => log.error({ err }, 'the schema of a request does not compile'));
    app.server.once('close', end);
    done();
  });
}
