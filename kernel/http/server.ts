/** The Fastify instance that every plugin's routes are mounted on, put together in four stages. */
import { fastify, type FastifyBaseLogger } from 'fastify';
import type { Instance } from '../boot/plan/order.js';
import type { ErrorRenderer } from '../sdk/http/errors.js';
import type { Logger } from '../sdk/plugin/logger.js';
import type { Routes } from '../sdk/http/routes.js';
import { Answers } from './answers/answers.js';
import { FailedStreams } from './answers/failed-streams.js';
import type { SlowReaders } from './answers/slow-readers.js';
import type { Listener } from './listener/listener.js';
import { addOpenApi } from './openapi/openapi.js';
import { restrictOperations, type MayOperate } from './operations/operators-only.js';
import { requestOptions, takeRequests, type RequestsInput } from './requests/requests.js';
import type { Home } from './routes/home.js';
import { RouteTable, type MountedRoute } from './routes/route-table.js';

export interface HttpInput extends RequestsInput {
  readonly listener: Listener;
  readonly renderer: ErrorRenderer;
  readonly readers: SlowReaders;
}

export interface HttpServer {
  readonly app: Routes;
  readonly mayOperate: MayOperate;
  /** Makes an encapsulated scope the plugin's: its errors, metrics, documentation and log carry the plugin. */
  enter(scope: Routes, instance: Instance, log: FastifyBaseLogger): void;
  /** Every route that a plugin mounted, in the order of mounting. */
  readonly routes: readonly MountedRoute[];
  readonly home: Home;
}

/** Replaces Fastify's own, whose loading takes a fourth of its start; the stages set theirs. */
const NO_COMPILERS = {
  buildValidator: (): never => noCompiler(),
  buildSerializer: (): never => noCompiler(),
};

export async function createHttpServer(input: HttpInput): Promise<HttpServer> {
  const { config, listener, log, renderer, readers } = input;
  const routes = new RouteTable();
  const answers = new Answers({ renderer, log, readers, bodyLimit: config.bodyLimit }, routes);
  const app: Routes = fastify({
    ...listener.options,
    ...requestOptions(config),
    ...answers.options,
    schemaController: { compilersFactory: NO_COMPILERS },
    // Given a logger, Fastify makes a child of it and adds two listeners for every request.
    logger: false,
    logController: new FailedStreams(),
    // The kernel has a deadline of its own for every plugin.
    pluginTimeout: 0,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: true,
  });
  // Fastify's info lines repeat the start-up report.
  app.log = log.isLevelEnabled('warn') ? log.child({}, { level: 'warn' }) : log;
  routes.follow(app);
  listener.attach(app);
  const home = await takeRequests(app, routes, input);
  answers.attach(app, config.trustProxy !== false);
  const mayOperate = restrictOperations(app, config, input.auth);
  addOpenApi(app, renderer);
  return {
    app,
    mayOperate,
    routes: routes.mounted,
    home,
    enter: (scope, instance, own) => routes.enter(scope, instance, own),
  };
}

/** Stops accepting and waits for requests in flight; closes the remaining connections after `timeout` milliseconds. */
export async function drain(app: Routes, timeout: number, log: Logger): Promise<void> {
  const closed = app.close();
  const cut = setTimeout(() => {
    log.warn(`requests did not end within ${timeout} ms (server.drainTimeout) and are cut off`);
    app.server.closeAllConnections();
  }, timeout);
  try {
    await closed;
  } finally {
    clearTimeout(cut);
  }
}

function noCompiler(): never {
  throw new Error('the compilers of schemas are set');
}
