/**
 * A server from set-up to its end: set-up > routes > start > listen | running | drain > releases > done.
 * The kernel is an object; two can live in one process.
 */
import type { Writable } from 'node:stream';
import type { Logger } from 'pino';
import { BootError, StartAgain } from './boot-error.js';
import { Cleanup } from './cleanup.js';
import { drain, listen } from '../http/listener/listen.js';
import { mountRoutes } from '../http/routes/mount-routes.js';
import { addOperations } from '../http/operations/operations.js';
import { Listener } from '../http/listener/listener.js';
import { Port } from '../http/listener/port.js';
import type { MountedRoute } from '../http/routes/route-table.js';
import { createHttpServer, type HttpServer } from '../http/server.js';
import { PluginInstance } from './instance.js';
import { redactionOf } from './log.js';
import { MetricsRegistry } from '../metrics/registry.js';
import type { Plan } from './plan/prepare.js';
import type { Clock } from '../sdk/clock.js';
import type { Command } from '../sdk/command.js';
import type { Routes } from '../sdk/routes.js';
import { scoped, type Consumer, type Token } from '../sdk/token.js';
import { AUDIT, AUTH, CLOCK, ERRORS, METRICS, PAGES, SCOPES } from '../sdk/tokens.js';
import { auditedCommand } from './audited-command.js';
import { collectScopes } from './plan/scopes.js';
import { Services } from './services.js';
import './ticks.js';

export type Phase = 'setup' | 'routes' | 'start' | 'listen';

export interface KernelOptions {
  readonly log: Logger;
  readonly clock?: Clock;
  /** The ids of plugins to leave out, which failed in a kernel before this one. */
  readonly without?: readonly string[];
  /** Whether a kernel of this process was serving before. */
  readonly reloading?: boolean;
  /** Where to listen, if the address outlives this kernel. */
  readonly port?: Port;
  /** The terminal, for the few things that are said once and must not be logged. */
  readonly stdout: Writable;
}

export interface ReleaseFailure {
  /** The id of the instance. */
  readonly owner: string;
  readonly error: unknown;
}

export class Kernel {
  readonly #plan: Plan;
  readonly #log: Logger;
  readonly #stdout: Writable;
  readonly #reloading: boolean;
  readonly #port: Port;
  readonly #ownsPort: boolean;
  readonly #services = new Services();
  readonly #metrics = new MetricsRegistry();
  readonly #instances: readonly PluginInstance[];
  readonly #cleanup: Cleanup;
  readonly #releaseFailures: ReleaseFailure[] = [];
  readonly #draining = new AbortController();
  readonly #abort = new AbortController();
  readonly #born = performance.now();
  #http: HttpServer | undefined;
  #leaving = false;
  #stopped: Promise<readonly ReleaseFailure[]> | undefined;

  constructor(
    plan: Plan,
    { log, stdout, port, reloading = false, without = [], clock = { now: () => Date.now() } }: KernelOptions,
  ) {
    this.#plan = plan;
    this.#log = log;
    this.#stdout = stdout;
    this.#reloading = reloading;
    this.#port = port ?? new Port();
    this.#ownsPort = port === undefined;
    this.#cleanup = new Cleanup(plan.server.releaseTimeout, (owner, error) => {
      this.#releaseFailures.push({ owner, error });
      log.error({ plugin: owner, err: error }, 'release failed');
    });
    this.#instances = plan.instances.map(
      (entry) =>
        new PluginInstance(entry, {
          timeout: plan.server.setupTimeout,
          cleanup: this.#cleanup,
          log: log.child({ plugin: entry.id }, { redact: redactionOf(entry.definition.config) }),
        }),
    );
    for (const instance of this.#instances) if (without.includes(instance.id)) instance.end('left-out');
    this.#services.provide(CLOCK, clock);
    this.#services.provide(SCOPES, collectScopes(plan.instances));
    this.#services.provide(PAGES, { list: () => this.#up().flatMap(({ pages }) => pages) });
    this.#services.provide(
      METRICS,
      scoped(({ id }) => this.#metrics.forPlugin(id)),
    );
  }

  /**
   * Sets every plugin up, in order, or only those before which `enough` is true of the commands so far. On failure
   * everything acquired so far is released and a `BootError` is thrown.
   */
  setup(enough: (commands: readonly Command[]) => boolean = () => false): Promise<void> {
    return this.#orStop(async () => {
      for (const instance of this.#instances) {
        this.#assertNotStopped();
        if (enough(this.commands())) break;
        if (instance.state === 'left-out') continue;
        const missing = this.#missingNeed(instance);
        if (missing === undefined) await this.#attempt('setup', instance, () => this.#setUp(instance));
        else this.#leaveOut(instance, new Error(`needs ${missing.id}, whose provider was left out`));
      }
      this.#assertNotStopped();
    });
  }

  /** Mounts the routes and starts the background work; may throw `StartAgain`. Without listening, for tests: requests are injected. */
  start(): Promise<void> {
    return this.#orStop(() => this.#start());
  }

  /** Listens on the configured address and answers the URL under which the server is reached. */
  listen(): Promise<string> {
    return this.#orStop(async () => {
      this.#assertNotStopped();
      const url = await listen(this.app, this.#plan.server);
      this.#reportStart(url);
      return url;
    });
  }

  /** Readiness answers 503 from now on, and every answer ends its connection; all else is served until `stop`. */
  announceStop(): void {
    this.#leaving = true;
    this.#port.endConnections();
  }

  /** Readiness answers 503 at once; requests in flight finish; then everything is released. Never throws; may be called twice. */
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

  /** The path of the page that browsers are sent to from `/`; undefined when there is none. */
  get home(): string | undefined {
    return this.#http?.home.path;
  }

  /** The ids of the plugins that were left out. */
  get degraded(): readonly string[] {
    return this.#instances.filter(({ state }) => state === 'left-out').map(({ id }) => id);
  }

  /** The service behind a token as the plugin `consumer` gets it; any other id stands for a consumer of its own. */
  service<T>(token: Token<T>, consumer: string): T | undefined {
    const instance = this.#instances.find(({ id }) => id === consumer);
    return this.#services.get(token, instance?.consumer ?? this.#asConsumer(consumer));
  }

  /** A command whose name a plugin before it has is found under its plugin's id: `archive memory export`. */
  commands(): readonly Command[] {
    const named = new Map<string, Command>();
    const audit = this.#services.get(AUDIT, this.#asConsumer('kernel'));
    for (const { id, contribution } of this.#up())
      for (const each of contribution.commands ?? []) {
        const command = audit === undefined ? each : auditedCommand(each, audit);
        if (!named.has(command.name)) named.set(command.name, command);
        else {
          const name = `${id} ${command.name}`;
          named.set(name, { ...command, name, run: (call) => command.run(call) });
        }
      }
    return [...named.values()];
  }

  async #start(): Promise<void> {
    this.#assertNotStopped();
    const renderer = this.#services.get(ERRORS, this.#asConsumer('kernel'));
    if (renderer === undefined)
      throw new BootError(`no plugin provides ${ERRORS.id}, which the server needs`);
    this.#http = await createHttpServer({
      config: this.#plan.server,
      log: this.#log,
      metrics: this.#metrics,
      auth: () => this.#services.get(AUTH, this.#asConsumer('kernel')),
      renderer,
      listener: await this.#openListener(),
      assertSchemas: this.#instances.some(({ entry }) => !entry.tested),
      exposedHeaders: this.#instances.flatMap(({ entry }) => entry.definition.exposedHeaders ?? []),
    });
    const { app, mayOperate } = this.#http;
    addOperations(app, {
      mayOperate,
      checks: () =>
        this.#up().flatMap(({ entry: { id, optional }, contribution: { check } }) =>
          check === undefined ? [] : [{ id, optional, run: check }],
        ),
      degraded: () => this.degraded,
      draining: () => this.#leaving || this.#stopped !== undefined,
      metrics: this.#metrics,
      failed: (id, error) => this.#log.warn({ plugin: id, err: error }, 'readiness check failed'),
    });
    for (const instance of this.#up()) await this.#mount(this.#http, instance);
    await app.ready().then(undefined, (error: unknown) => {
      throw new BootError(`the routes cannot be served: ${(error as Error).message}`, { cause: error });
    });
    for (const instance of this.#up()) {
      this.#assertNotStopped();
      await this.#attempt('start', instance, () => instance.within(() => instance.contribution.start?.()));
    }
    this.#assertNotStopped();
  }

  #openListener(): Promise<Listener> {
    const { server: config, baseDir } = this.#plan;
    return Listener.of({ config, baseDir, port: this.#port, log: this.#log });
  }

  async #setUp(instance: PluginInstance): Promise<void> {
    const { id, config, prefix, definition } = instance.entry;
    const { needs, wants, container } = this.#services.inject(instance.consumer, definition);
    const context = {
      ...instance.hooks,
      draining: this.#draining.signal,
      id,
      config,
      baseDir: this.#plan.baseDir,
      prefix,
      reloading: this.#reloading,
      needs,
      wants,
      container,
      stdout: this.#stdout,
    };
    await instance.setUp(() => definition.setup(context));
    const provided: Record<string, unknown> = instance.contribution.provides;
    for (const [name, token] of Object.entries(definition.provides ?? {}))
      this.#services.provide(token, provided[name]);
  }

  async #mount({ app, enter, routes: mounted }: HttpServer, instance: PluginInstance): Promise<void> {
    const { entry, contribution } = instance;
    const { routes } = contribution;
    if (routes === undefined) return;
    await app.register(
      async (scope) => {
        enter(scope, entry, instance.log);
        await this.#attempt('routes', instance, () =>
          instance.within(() => mountRoutes(routes, scope, mounted)),
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

  /** Runs a phase of one plugin; a failure ends the boot, or leaves an optional plugin out. */
  async #attempt(phase: Phase, instance: PluginInstance, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const isFull = (error as NodeJS.ErrnoException | undefined)?.code === 'ENOSPC';
      const said = error instanceof Error ? error.message : String(error);
      const reason = isFull ? `the disk is full (${said}): make room and start again` : said;
      const message = `plugin "${instance.id}" failed in ${phase}: ${reason}`;
      if (!instance.entry.optional) throw new BootError(message, { cause: error });
      this.#leaveOut(instance, error);
      // Others may use its services and routes: all are released, and set up again without it.
      if (phase !== 'setup') throw new StartAgain(this.degraded, message, { cause: error });
      await instance.release();
    }
  }

  #leaveOut(instance: PluginInstance, error: unknown): void {
    this.#log.error({ plugin: instance.id, err: error }, 'left out');
    instance.end('left-out');
  }

  /** A stop may come while the server starts: what has not begun then does not begin. */
  #assertNotStopped(): void {
    if (this.#stopped !== undefined) throw new BootError('stopped while it was starting');
  }

  #reportStart(url: string): void {
    for (const { id, setupTime } of this.#up()) this.#log.info(`${id} ${Math.round(setupTime)} ms`);
    const plugins = this.#up().filter(({ entry }) => entry.section === 'plugins').length;
    const degraded = this.degraded.length === 0 ? '' : `, left out: ${this.degraded.join(', ')}`;
    this.#log.info(
      `ready: ${plugins} ${plugins === 1 ? 'plugin' : 'plugins'}, ${Math.round(performance.now() - this.#born)} ms, ${url}${degraded}`,
    );
  }

  #missingNeed({ entry: { definition } }: PluginInstance): Token<unknown> | undefined {
    return Object.values(definition.needs ?? {}).find((token) => !this.#services.has(token));
  }

  #up(): PluginInstance[] {
    return this.#instances.filter(({ state }) => state === 'up');
  }

  /** Whoever asks for a service without being a plugin: the kernel itself, a test. */
  #asConsumer(id: string): Consumer {
    return { id, scopes: {}, dialect: 'svc', signal: this.#abort.signal, log: this.#log };
  }

  async #stop(): Promise<readonly ReleaseFailure[]> {
    this.#draining.abort();
    if (this.#ownsPort) this.#port.close();
    if (this.#http !== undefined) await drain(this.#http.app, this.#plan.server.drainTimeout, this.#log);
    this.#abort.abort();
    for (const instance of this.#instances) instance.end('stopped');
    await this.#cleanup.run();
    this.#metrics.close();
    return this.#releaseFailures;
  }
}

/** Sets up and starts a plan without listening; again without the optional plugins that fail on the way. */
export async function boot(plan: Plan, options: KernelOptions): Promise<Kernel> {
  const kernel = new Kernel(plan, options);
  try {
    await kernel.setup();
    await kernel.start();
    return kernel;
  } catch (error) {
    if (!(error instanceof StartAgain)) throw error;
    return boot(plan, { ...options, without: error.without });
  }
}
