/** The Fastify instance that every plugin's routes are mounted on: request ids, headers, errors, metrics. */
import type { Server as SecureServer } from 'node:https';
import {
  fastify,
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
} from 'fastify';
import type { Logger } from 'pino';
import type { ServerConfig } from '../config/shape.js';
import type { MetricsRegistry } from '../metrics/registry.js';
import type { Instance } from '../boot/plan/order.js';
import { answered } from '../sdk/answered.js';
import type { Auth } from '../sdk/auth.js';
import type { ErrorRenderer, ServiceError } from '../sdk/errors.js';
import type { Routes } from '../sdk/routes.js';
import { refuseForeignHosts, refuseTwoHosts } from './requests/allowed-hosts.js';
import { identify } from './identify.js';
import { addBodyParsers, dropUnwantedBody, parseQuery } from './requests/bodies.js';
import { clientErrorHandler } from './listener/bare-answers.js';
import { allowOrigins } from './requests/cors.js';
import { refuseCrossSiteWrites } from './requests/cross-site.js';
import { dialectAt, pathBehind } from './routes/dialect-at.js';
import { kernelErrors, toServiceError } from './errors.js';
import { addForwardedPrefix } from './answers/forwarded-prefix.js';
import { findHome, type Home } from './routes/home.js';
import { restrictOperations, type MayOperate } from './operations/operators-only.js';
import { addOpenApi } from './openapi/openapi.js';
import { endTurn, inLine, isClientGone, paceBody } from './requests/paced-input.js';
import type { ListenerOptions, Port } from './listener/port.js';
import { refuseUnderPressure } from './requests/pressure.js';
import type { RouteDurations } from '../metrics/request-durations.js';
import { requestIds } from './request-ids.js';
import { FailedStreams, requestLog, routeOf } from './answers/request-log.js';
import { KnownClients, RouteScopes, type MountedRoute } from './routes/route-scopes.js';
import { Certificate } from './listener/tls.js';
import { boundUnreadAnswers } from './answers/unread-answers.js';
import { RouteValidators } from './requests/validation.js';

export interface HttpInput {
  /** Relative paths of the config start here. */
  readonly baseDir: string;
  /** Asked at the first request that needs it; undefined when nothing provides it. */
  readonly auth: () => Auth | undefined;
  readonly config: ServerConfig;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
  readonly renderer: ErrorRenderer;
  readonly port: Port;
  /** Whether plugins have schemas that nobody checked. */
  readonly assertSchemas: boolean;
  /** Response headers that plugins declare for browsers of other origins. */
  readonly exposedHeaders: readonly string[];
}

export interface HttpServer {
  readonly app: Routes;
  readonly mayOperate: MayOperate;
  /** Marks an encapsulated Fastify scope as the plugin's: its errors, metrics, documentation and log carry the plugin. */
  enter(scope: Routes, instance: Instance, log: FastifyBaseLogger): void;
  /** Every route that a plugin mounted, in the order of mounting. */
  readonly routes: readonly MountedRoute[];
  readonly home: Home;
}

/** Characters of whole answers that wait for clients: a server keeps some gigabytes less than it could be made to. */
const MOST_UNREAD = 128 * 1024 * 1024;

/** Node's own, in milliseconds. */
const HEADERS_TIMEOUT = 60_000;
const TIMEOUTS_CHECKED_EVERY = 30_000;

/** In place of Fastify's own, whose loading is a fourth of its start; the compilers are set below. */
const NO_COMPILERS = {
  buildValidator: (): never => noCompiler(),
  buildSerializer: (): never => noCompiler(),
};

/** Characters of a path in an error. */
const LONGEST_PATH = 200;

const OWNER = Symbol('plugboard.owner');
const LOG = Symbol('plugboard.log');
type Owned = { [OWNER]?: Instance; [LOG]?: FastifyBaseLogger };

const DURATIONS = Symbol('plugboard.durations');
type Measured = { [DURATIONS]?: RouteDurations };

export async function createHttpServer(input: HttpInput): Promise<HttpServer> {
  const { config, log, metrics, renderer, exposedHeaders } = input;
  // Typed as pino's it would become part of the type of every route.
  const logger: FastifyBaseLogger = log;
  const scopes = new RouteScopes();
  const routes: MountedRoute[] = [];
  const clients = new KnownClients();
  const answering = (request: FastifyRequest): Instance | undefined =>
    (request.is404 ? undefined : (request.server as Owned)[OWNER]) ??
    clients.answering(request, scopes.instanceOf(pathOf(request.url)));
  const render = (thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const instance = answering(request);
    const { error, unexpected } = toServiceError(thrown, {
      requestId: request.id,
      clientLeft: isClientGone(thrown, request),
      contentType: request.headers['content-type'],
      bodyLimit: request.routeOptions.bodyLimit ?? config.bodyLimit,
      invalid: instance?.definition.invalid,
    });
    if (unexpected) {
      const about = { requestId: request.id, plugin: instance?.id, route: routeOf(request) };
      log.error({ err: thrown, ...about }, error.message);
    }
    const dialect = dialectAt(instance, pathOf(request.url));
    const answer = renderer.render(error, dialect, request);
    // Fastify asks for the end of the connection while the client still sends, which then sees a broken pipe in place
    // of this answer. Node discards the rest of the body, for as long as `server.requestTimeout` allows.
    if (answer.status === 413) void reply.removeHeader('connection');
    return reply
      .code(answer.status)
      .type('application/json; charset=utf-8')
      .headers({ ...answer.headers, ...error.headers })
      .send(JSON.stringify(answer.body));
  };

  const certificate = config.tls && new Certificate(config.tls, input.baseDir);
  const timeouts = {
    headersTimeout: Math.min(config.requestTimeout, HEADERS_TIMEOUT),
    connectionsCheckingInterval: Math.min(config.requestTimeout, TIMEOUTS_CHECKED_EVERY),
  };
  const tls = await certificate?.read().catch((error: unknown) => {
    // A reload of a server whose files were replaced by bad ones: its listener has the old certificate still.
    if (input.port?.address == null) throw error;
    log.error({ err: error }, 'the certificate was not replaced; the old one stays in force');
    return undefined;
  });
  // The type of a plugin's routes does not depend on the listener.
  const listener = {
    ...(tls && { https: tls }),
    serverFactory: placeOn(input.port, { ...timeouts, tls, log }),
  } as { http?: object };
  const validators = new RouteValidators();
  const app: Routes = fastify({
    ...listener,
    schemaController: { compilersFactory: NO_COMPILERS },
    // Given a logger, Fastify makes a child of it and adds two listeners for every request.
    logger: false,
    logController: new FailedStreams(),
    bodyLimit: config.bodyLimit,
    trustProxy: typeof config.trustProxy === 'boolean' ? config.trustProxy : [...config.trustProxy],
    genReqId: requestIds(),
    requestTimeout: config.requestTimeout,
    // The kernel has a deadline of its own for every plugin.
    pluginTimeout: 0,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: true,
    routerOptions: { querystringParser: parseQuery, maxParamLength: 1024, ignoreTrailingSlash: false },
    clientErrorHandler: clientErrorHandler(renderer),
    frameworkErrors: (error, request, reply) => {
      identify(reply.raw, request.id);
      void render(error, request, reply);
    },
  });

  // Its own lines below a warning repeat what the start-up report says.
  app.log = log.isLevelEnabled('warn') ? log.child({}, { level: 'warn' }) : log;
  app.setValidatorCompiler(validators.compiler);
  // Answers are sent as they are: a compiled serializer would drop what the schema does not name and turn a
  // wrong type into a 500. The schemas serve the OpenAPI document, and a test holds the answers against them.
  app.setSerializerCompiler(() => (body) => JSON.stringify(body));
  app.addHook('onListen', (done) => {
    const end = validators.warm((err) => log.error({ err }, 'the schema of a request does not compile'));
    app.server.once('close', end);
    done();
  });
  app.setErrorHandler((error, request, reply) => render(error, request, reply));
  const noRoute = (request: FastifyRequest): ServiceError => {
    const path = pathOf(request.url);
    const methods = scopes.methodsOf(path);
    const values = { method: request.method, path: shortened(path), allowed: methods.join(', ') };
    if (methods.length === 0) {
      const known = answering(request)?.definition.clients;
      if (known?.unknownRoute !== undefined && known.recognise(request.headers))
        return known.unknownRoute({ method: values.method, path: values.path, headers: request.headers });
    }
    // A route that has the method and finds nothing says so: a file that is not there.
    return methods.length === 0 || methods.includes(request.method)
      ? kernelErrors.not_found({ values })
      : kernelErrors.method_not_allowed({ values, headers: { allow: values.allowed } });
  };
  app.setNotFoundHandler((request, reply) => render(noRoute(request), request, reply));

  // On the prototype of all requests: the plugin of a route is known only when the getter runs.
  app.decorateRequest('path', {
    getter() {
      return pathBehind((this.server as Owned)[OWNER]?.prefix ?? '', pathOf(this.url));
    },
  });

  const assertRouteSchemas = input.assertSchemas
    ? (await import('./requests/request-schemas.js')).assertRouteSchemas
    : (): void => {};
  // Unknown paths share one series: a scanner must not fill the registry.
  const unknown = metrics.requests.route('kernel', '(unknown)');
  app.addHook('onRoute', function (route) {
    const instance = (this as Owned)[OWNER];
    if (instance?.tested === false) assertRouteSchemas(route);
    dropUnwantedBody(route);
    // The route of CORS, which has every path, would turn every unknown path into one with a wrong method.
    for (const method of route.url === '*' ? [] : [route.method].flat()) {
      scopes.add(method, route.url, instance);
      if (instance !== undefined) routes.push({ owner: instance.id, method, path: route.url });
    }
    const durations = metrics.requests.route(instance?.id ?? 'kernel', route.url);
    // A copy: several routes may share one config object.
    route.config = Object.assign({}, route.config, { [DURATIONS]: durations });
  });
  const refuseForeignHost = refuseForeignHosts(config);
  const refuseCrossSiteWrite = refuseCrossSiteWrites(config.cors.origins);
  const refuseOverload = refuseUnderPressure(app, config.pressure.eventLoopDelay);
  const home = findHome(app);
  const admit = (request: FastifyRequest, reply: FastifyReply, done: (refusal?: Error) => void): void => {
    const refusal = refuseCrossSiteWrite(request) ?? refuseOverload(request);
    // Before the body is read: nothing is parsed for a route that does not exist.
    if (refusal !== undefined || !request.is404) done(refusal);
    else if (!home.redirect(request, reply)) done(noRoute(request));
  };
  const hasCors = config.cors.origins.length > 0;
  // Few hooks that do much: Fastify's walk from one to the next costs every request as much as what is done in it.
  app.addHook('onRequest', (request, reply, done) =>
    inLine(request.raw, () => {
      const arrival = performance.now();
      request.log = reply.log = requestLog((request.server as Owned)[LOG] ?? logger, request.id);
      identify(reply.raw, request.id);
      // One listener of our own: an onResponse hook adds two and removes both again.
      reply.raw.on('close', () => {
        endTurn(request.raw);
        answered(reply);
        if (!reply.raw.headersSent) return;
        const durations = (request.routeOptions.config as Measured)[DURATIONS] ?? unknown;
        durations.observe(request.method, reply.statusCode, (performance.now() - arrival) / 1000);
      });
      const refusal = refuseTwoHosts(request) ?? refuseForeignHost(request);
      if (refusal !== undefined || hasCors) done(refusal);
      else admit(request, reply, done);
    }),
  );

  app.addHook('preParsing', paceBody);
  addBodyParsers(app);
  const bound = boundUnreadAnswers(MOST_UNREAD);
  app.addHook('onSend', (_request, reply, payload, done) => {
    done(null, payload);
    bound(reply, payload);
  });
  if (config.trustProxy !== false) addForwardedPrefix(app);
  if (hasCors) {
    // Refusals behind it have its headers.
    await allowOrigins(app, config.cors.origins, exposedHeaders);
    app.addHook('onRequest', admit);
  }
  const mayOperate = restrictOperations(app, config, input.auth);
  if (certificate !== undefined) {
    const unfollow = certificate.follow(app.server as unknown as SecureServer, log);
    app.addHook('onClose', (_app, done) => {
      unfollow();
      done();
    });
  }
  addOpenApi(app, (scope) => (scope as Owned)[OWNER], renderer);
  const enter: HttpServer['enter'] = (scope, instance, own) => {
    clients.add(instance);
    Object.assign(scope, { [OWNER]: instance, [LOG]: own } satisfies Owned);
  };
  return { app, mayOperate, routes, home, enter };
}

function placeOn(
  port: Port,
  own: Pick<ListenerOptions, 'headersTimeout' | 'connectionsCheckingInterval' | 'tls' | 'log'>,
): FastifyServerFactory {
  return (handler, options) => {
    const { requestTimeout, keepAliveTimeout } = options as {
      requestTimeout: number;
      keepAliveTimeout: number;
    };
    return port.place(handler, { ...own, requestTimeout, keepAliveTimeout });
  };
}

function noCompiler(): never {
  throw new Error('the compilers of schemas are set');
}

/** An error repeats at most so much of what a client sent. */
function shortened(path: string): string {
  return path.length <= LONGEST_PATH ? path : `${path.slice(0, LONGEST_PATH)}...`;
}

function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}
