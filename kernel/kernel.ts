/**
 * A server in the making and at work: set-up > routes > start > listen | running | drain > releases > done.
 * The kernel is an object; two can live in one process.
 */
import type { Writable } from 'node:stream';
import type { Logger } from 'pino';
import { Cleanup, type ReleaseFailure } from './cleanup.js';
import { checkContribution } from './contribution.js';
import { withDeadline } from './deadline.js';
import { kernelErrors } from './http/errors.js';
import { drain } from './http/drain.js';
import { listen } from './http/listen.js';
import { mountRoutes } from './http/mount-routes.js';
import { addOperations } from './http/operations.js';
import { createHttpServer, type HttpServer, type MountedRoute } from './http/server.js';
import { secretPaths } from './log.js';
import { MetricsRegistry } from './metrics.js';
import { mayBeLeftOut, type Instance } from './plan.js';
import type { Plan } from './prepare.js';
import { renderer as standardRenderer } from './providers/errors/index.js';
import type { Clock } from './sdk/clock.js';
import type { Command } from './sdk/command.js';
import type { Contribution } from './sdk/plugin.js';
import type { Routes } from './sdk/routes.js';
import { scoped, type Consumer, type Token, type TokenMap } from './sdk/token.js';
import { CLOCK, ERRORS, METRICS } from './sdk/tokens.js';
import { Services } from './services.js';

export type Phase = 'setup' | 'routes' | 'start' | 'listen';

/** A plugin failed on the way up. The message names the plugin and the phase; the cause is the plugin's own error. */
export class BootError extends Error {
  override readonly name = 'BootError';
}

export interface KernelOptions {
  readonly log: Logger;
  readonly clock?: Clock;
  /** The terminal, for the few things that are said once and must not be logged. */
  readonly stdout: Writable;
}

interface Running {
  readonly instance: Instance;
  readonly contribution: Contribution<TokenMap>;
  /** Set when an optional plugin failed after its set-up. */
  failed: boolean;
}

export class Kernel {
  readonly #plan: Plan;
  readonly #log: Logger;
  readonly #stdout: Writable;
  readonly #services = new Services();
  readonly #cleanup = new Cleanup();
  readonly #abort = new AbortController();
  readonly #metrics = new MetricsRegistry();
  readonly #running: Running[] = [];
  readonly #degraded: string[] = [];
  readonly #timings = new Map<string, number>();
  readonly #born = performance.now();
  #http: HttpServer | undefined;
  /** Of each instance, what puts off the deadline of the phase that it is in. */
  readonly #progress = new Map<string, () => void>();
  #draining = false;
  #stopped: Promise<readonly ReleaseFailure[]> | undefined;

  constructor(plan: Plan, { log, stdout, clock = { now: () => Date.now() } }: KernelOptions) {
    this.#plan = plan;
    this.#log = log;
    this.#stdout = stdout;
    this.#services.provide(CLOCK, clock);
    this.#services.provide(
      METRICS,
      scoped(({ id }) => this.#metrics.forPlugin(id)),
    );
    this.#cleanup.add('metrics', () => this.#metrics.close());
  }

  /** Sets every plugin up, in order. On failure everything acquired so far is released and a `BootError` is thrown. */
  setup(): Promise<void> {
    return this.#orStop(async () => {
      for (const instance of this.#plan.instances) {
        this.#assertNotStopped();
        const missing = this.#missingNeed(instance);
        if (missing === undefined) await this.#attempt('setup', instance, () => this.#setupOne(instance));
        else await this.#leaveOut(instance, new Error(`needs ${missing.id}, whose provider was left out`));
      }
    });
  }

  /** Mounts the routes and starts the background work. Without listening, for tests: requests are injected. */
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

  get degraded(): readonly string[] {
    return this.#degraded;
  }

  service<T>(token: Token<T>, consumer: string): T | undefined {
    const instance = this.#plan.instances.find(({ id }) => id === consumer);
    return this.#services.get(token, instance === undefined ? stranger(consumer) : asConsumer(instance));
  }

  commands(): readonly Command[] {
    return this.#running.flatMap(({ contribution }) => contribution.commands ?? []);
  }

  async #start(): Promise<void> {
    this.#assertNotStopped();
    this.#http = await createHttpServer({
      config: this.#plan.server,
      log: this.#log,
      metrics: this.#metrics,
      renderer: () => this.#services.get(ERRORS, stranger('kernel')) ?? standardRenderer,
    });
    const { app } = this.#http;
    this.#cleanup.add('http', () => app.close());
    addOperations(app, {
      checks: () =>
        this.#alive().flatMap(({ instance: { id, optional }, contribution: { check } }) =>
          check === undefined ? [] : [{ id, optional, run: check }],
        ),
      degraded: () => this.#degraded,
      draining: () => this.#draining,
      metrics: this.#metrics,
      failed: (id, error) => this.#log.warn({ plugin: id, err: error }, 'readiness check failed'),
    });
    for (const running of this.#running) await this.#mount(this.#http, running);
    await app.ready().then(undefined, (error: unknown) => {
      throw new BootError(`the routes cannot be served: ${(error as Error).message}`, { cause: error });
    });
    for (const running of this.#alive()) {
      this.#assertNotStopped();
      const { instance, contribution } = running;
      await this.#attempt('start', instance, async () => contribution.start?.(), running);
    }
  }

  async #setupOne(instance: Instance): Promise<void> {
    const { id, definition } = instance;
    const began = performance.now();
    const { needs, wants, container } = this.#services.inject(asConsumer(instance), definition);
    const contribution: unknown = await definition.setup({
      id,
      config: instance.config,
      baseDir: this.#plan.baseDir,
      prefix: instance.prefix,
      needs,
      wants,
      container,
      log: this.#log.child({ plugin: id }, { redact: secretPaths(definition.config) }),
      stdout: this.#stdout,
      signal: this.#abort.signal,
      onStop: (release) => this.#cleanup.add(id, release),
      progress: () => this.#progress.get(id)?.(),
    });
    checkContribution(contribution, definition);
    const provided: Record<string, unknown> = contribution.provides;
    for (const [name, token] of Object.entries(definition.provides ?? {}))
      this.#services.provide(token, provided[name]);
    this.#running.push({ instance, contribution, failed: false });
    this.#timings.set(id, performance.now() - began);
  }

  async #mount({ app, enter }: HttpServer, running: Running): Promise<void> {
    const { instance, contribution } = running;
    const { routes } = contribution;
    if (routes === undefined) return;
    await app.register(
      async (scope) => {
        enter(scope, instance);
        if (mayBeLeftOut(instance, this.#plan.instances)) {
          scope.addHook('onRequest', (_request, _reply, done) =>
            done(running.failed ? kernelErrors.left_out({ values: { plugin: instance.id } }) : undefined),
          );
        }
        await this.#attempt('routes', instance, () => mountRoutes(routes, scope), running);
      },
      { prefix: instance.prefix },
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

  /** Runs a phase of one plugin under its deadline; a failure ends the boot, or leaves an optional plugin out. */
  async #attempt(
    phase: Phase,
    instance: Instance,
    work: () => Promise<void>,
    running?: Running,
  ): Promise<void> {
    const { setupTimeout } = this.#plan.server;
    const late = (): Error =>
      new Error(
        `did not end within ${setupTimeout} ms. You may have forgotten to resolve a promise, or what it waits for does not answer`,
      );
    try {
      const timed = (progress: () => void): Promise<void> => {
        this.#progress.set(instance.id, progress);
        return work();
      };
      await withDeadline(timed, setupTimeout, late);
    } catch (error) {
      if (instance.optional) {
        if (running !== undefined) running.failed = true;
        await this.#leaveOut(instance, error);
        return;
      }
      const reason = error instanceof Error ? error.message : String(error);
      throw new BootError(`plugin "${instance.id}" failed in ${phase}: ${reason}`, { cause: error });
    }
  }

  /** Leaves a plugin out, and those already set up that need what it provided. */
  async #leaveOut(instance: Instance, error: unknown): Promise<void> {
    this.#degraded.push(instance.id);
    this.#log.error({ plugin: instance.id, err: error }, 'left out');
    this.#report(await this.#cleanup.run(this.#plan.server.releaseTimeout, instance.id));
    const gone = new Set(Object.values(instance.definition.provides ?? {}).map(({ id }) => id));
    for (const running of this.#alive()) {
      const lost = Object.values(running.instance.definition.needs ?? {}).find(({ id }) => gone.has(id));
      if (lost === undefined || running.instance === instance) continue;
      running.failed = true;
      await this.#leaveOut(running.instance, new Error(`needs ${lost.id}, whose provider was left out`));
    }
  }

  /** A stop may come while the server starts: what is not begun then does not begin. */
  #assertNotStopped(): void {
    if (this.#stopped !== undefined) throw new BootError('stopped while it was starting');
  }

  #reportStart(url: string): void {
    for (const [id, duration] of this.#timings) this.#log.info(`${id} ${Math.round(duration)} ms`);
    const plugins = this.#alive().filter(({ instance }) => instance.section === 'plugins').length;
    const degraded = this.#degraded.length === 0 ? '' : `, left out: ${this.#degraded.join(', ')}`;
    this.#log.info(
      `ready: ${plugins} ${plugins === 1 ? 'plugin' : 'plugins'}, ${Math.round(performance.now() - this.#born)} ms, ${url}${degraded}`,
    );
  }

  #missingNeed({ definition }: Instance): Token<unknown> | undefined {
    return Object.values(definition.needs ?? {}).find((token) => !this.#services.has(token));
  }

  #alive(): Running[] {
    return this.#running.filter(({ failed }) => !failed);
  }

  async #stop(): Promise<readonly ReleaseFailure[]> {
    const { drainTimeout, releaseTimeout } = this.#plan.server;
    this.#draining = true;
    if (this.#http !== undefined) await drain(this.#http.app, drainTimeout);
    this.#abort.abort();
    const failures = await this.#cleanup.run(releaseTimeout);
    this.#report(failures);
    return failures;
  }

  #report(failures: readonly ReleaseFailure[]): void {
    for (const { owner, error } of failures) this.#log.error({ plugin: owner, err: error }, 'release failed');
  }
}

function asConsumer({ id, definition: { scopes = {}, dialect = 'svc' } }: Instance): Consumer {
  return { id, scopes, dialect };
}

/** Whoever asks for a service and is no plugin: the kernel itself, a test. */
function stranger(id: string): Consumer {
  return { id, scopes: {}, dialect: 'svc' };
}

/** Sets up and starts a plan without listening. */
export async function boot(plan: Plan, options: KernelOptions): Promise<Kernel> {
  const kernel = new Kernel(plan, options);
  await kernel.setup();
  await kernel.start();
  return kernel;
}
