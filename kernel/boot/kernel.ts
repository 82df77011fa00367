/**
 * A server from set-up to its end: listen > set-up > routes > start > serve | running | drain > releases > done.
 * The kernel is an object; two can live in one process.
 */
import type { Logger } from 'pino';
import { Listener } from '../http/listener/listener.js';
import { Port } from '../http/listener/port.js';
import { stepText } from '../http/listener/starting.js';
import { addOperations } from '../http/operations/operations.js';
import { isOpen } from '../http/operations/operators-only.js';
import { mountRoutes } from '../http/routes/mount-routes.js';
import type { MountedRoute } from '../http/routes/route-table.js';
import { createHttpServer, drain, type HttpServer } from '../http/server.js';
import { isServiceError } from '../sdk/http/errors.js';
import type { Command } from '../sdk/plugin/command.js';
import type { Routes } from '../sdk/http/routes.js';
import type { Token } from '../sdk/plugin/token.js';
import { AUTH, ERRORS } from '../sdk/services/tokens.js';
import { BootError } from './boot-error.js';
import type { PluginInstance } from './instance.js';
import type { Plan } from './plan/prepare.js';
import { Plugins, type PluginOptions, type ReleaseFailure } from './plugins.js';

export interface KernelOptions extends PluginOptions {
  /** Where to listen, if the address outlives this kernel. */
  readonly port?: Port;
}

/** Milliseconds between log lines that say what a start waits for. */
const SAY_WAIT_EVERY = 10_000;

export class Kernel {
  readonly #plan: Plan;
  readonly #log: Logger;
  readonly #port: Port;
  readonly #ownsPort: boolean;
  readonly #plugins: Plugins;
  readonly #born = performance.now();
  #listener: Listener | undefined;
  #http: HttpServer | undefined;
  #waits: NodeJS.Timeout | undefined;
  #leaving = false;
  #stopped: Promise<readonly ReleaseFailure[]> | undefined;

  constructor(plan: Plan, options: KernelOptions) {
    this.#plan = plan;
    this.#log = options.log;
    this.#port = options.port ?? new Port();
    this.#ownsPort = options.port === undefined;
    this.#plugins = new Plugins(plan, options);
  }

  /**
   * Listens before set-up: from now on `/-/live` is 200, and everything else answers what the start waits for. Throws a
   * `UserError` if the address is not available.
   */
  open(): Promise<void> {
    return this.#orStop(async () => {
      const shows = isOpen(this.#plan.server);
      this.#port.announce(() => (shows ? this.#plugins.current?.step : undefined));
      await (await this.#readListener()).open();
      this.#waits = setInterval(() => this.#sayWait(), SAY_WAIT_EVERY).unref();
    });
  }

  /**
   * Sets every plugin up, in order, or only those before which `enough` is true of the commands so far. On failure
   * everything acquired so far is released and a `BootError` is thrown.
   */
  setup(enough: (commands: readonly Command[]) => boolean = () => false): Promise<void> {
    return this.#orStop(async () => {
      for (const instance of this.#plugins.all) {
        this.#assertNotStopped();
        if (enough(this.commands())) break;
        await this.#plugins.setUp(instance);
      }
      this.#assertNotStopped();
    });
  }

  /**
   * Mounts the routes and starts the background work; may throw `StartAgain`. Without listening, for tests: requests
   * are injected.
   */
  start(): Promise<void> {
    return this.#orStop(() => this.#start());
  }

  /** Serves on the configured address and answers the URL under which the server is reached. */
  listen(): Promise<string> {
    return this.#orStop(async () => {
      this.#assertNotStopped();
      const url = await (await this.#readListener()).serve(this.app);
      clearInterval(this.#waits);
      this.#reportStart(url);
      return url;
    });
  }

  /** From now on readiness answers 503 and every answer closes its connection; all else is served until `stop`. */
  announceStop(): void {
    this.#leaving = true;
    this.#port.endConnections();
  }

  /**
   * Readiness answers 503 at once; requests in flight finish; then everything is released. Never throws; may be called
   * twice.
   */
  stop(): Promise<readonly ReleaseFailure[]> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  get app(): Routes {
    if (this.#http === undefined) throw new Error('the kernel has no HTTP server before start()');
    return this.#http.app;
  }

  get routes(): readonly MountedRoute[] {
    return this.#http?.routes ?? [];
  }

  /** The path to which browsers are redirected from `/`; undefined if there is none. */
  get home(): string | undefined {
    return this.#http?.home.path;
  }

  /** See `Plugins.service`. */
  service<T>(token: Token<T>, consumer: string): T | undefined {
    return this.#plugins.service(token, consumer);
  }

  commands(): readonly Command[] {
    return this.#plugins.commands;
  }

  async #start(): Promise<void> {
    this.#assertNotStopped();
    const plugins = this.#plugins;
    const renderer = plugins.service(ERRORS, 'kernel');
    if (renderer === undefined)
      throw new BootError(`no plugin provides ${ERRORS.id}, which the server needs`);
    this.#http = await createHttpServer({
      config: this.#plan.server,
      log: this.#log,
      metrics: plugins.metrics,
      readers: plugins.readers,
      observation: plugins.observation,
      auth: () => plugins.service(AUTH, 'kernel'),
      renderer,
      listener: await this.#readListener(),
      assertSchemas: plugins.all.some(({ entry }) => !entry.tested),
      exposedHeaders: plugins.all.flatMap(({ entry }) => entry.definition.exposedHeaders ?? []),
    });
    const { app, mayOperate } = this.#http;
    addOperations(app, {
      mayOperate,
      checks: () => plugins.up.flatMap(({ readiness }) => readiness ?? []),
      degraded: () => plugins.degraded,
      draining: () => this.#leaving || this.#stopped !== undefined,
      metrics: plugins.metrics,
      inForce: this.#plan.inForce,
      failed: (id, error) =>
        isServiceError(error)
          ? this.#log.warn({ plugin: id }, `not ready: ${error.message}`)
          : this.#log.warn({ plugin: id, err: error }, 'readiness check failed'),
    });
    for (const instance of plugins.up) await this.#mount(this.#http, instance);
    await app.ready().then(undefined, (error: unknown) => {
      throw new BootError(`the routes cannot be served: ${(error as Error).message}`, { cause: error });
    });
    for (const instance of plugins.up) {
      this.#assertNotStopped();
      await plugins.attempt('start', instance, () =>
        instance.within('start', () => instance.contribution.start?.()),
      );
    }
    this.#assertNotStopped();
  }

  /** The certificate is read once: before set-up, if the server listens by then. */
  async #readListener(): Promise<Listener> {
    const { server: config, baseDir } = this.#plan;
    return (this.#listener ??= await Listener.of({ config, baseDir, port: this.#port, log: this.#log }));
  }

  async #mount({ app, enter, routes: mounted }: HttpServer, instance: PluginInstance): Promise<void> {
    const { entry, contribution } = instance;
    const { routes } = contribution;
    if (routes === undefined) return;
    await app.register(
      async (scope) => {
        enter(scope, entry, instance.log);
        await this.#plugins.attempt('routes', instance, () =>
          instance.within('routes', () => mountRoutes(routes, scope, mounted)),
        );
      },
      { prefix: entry.prefix },
    );
  }

  async #orStop<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** A stop may come while the server starts: what has not begun then does not begin. */
  #assertNotStopped(): void {
    if (this.#stopped !== undefined) throw new BootError('stopped while it was starting');
  }

  #sayWait(): void {
    const { current } = this.#plugins;
    if (current !== undefined) this.#log.info(`starting: ${stepText(current.step)}`);
  }

  #reportStart(url: string): void {
    const { up, degraded } = this.#plugins;
    for (const { id, setupTime, entry } of up) {
      const { observes } = entry.definition;
      const seen = observes === undefined ? '' : `, observes ${observes.join(', ')}`;
      this.#log.info(`${id} ${Math.round(setupTime)} ms${seen}`);
    }
    const count = up.filter(({ entry }) => entry.section === 'plugins').length;
    const without = degraded.length === 0 ? '' : `, left out: ${degraded.join(', ')}`;
    const took = Math.round(performance.now() - this.#born);
    this.#log.info(`ready: ${count} ${count === 1 ? 'plugin' : 'plugins'}, ${took} ms, ${url}${without}`);
  }

  async #stop(): Promise<readonly ReleaseFailure[]> {
    this.#plugins.drain();
    clearInterval(this.#waits);
    if (this.#ownsPort) this.#port.close();
    if (this.#http !== undefined) await drain(this.#http.app, this.#plan.server.drainTimeout, this.#log);
    return this.#plugins.release();
  }
}
