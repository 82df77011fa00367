/** The plugins of one kernel: set up in order, each with what it declared, and released in the reverse order. */
import { setMaxListeners } from 'node:events';
import type { Writable } from 'node:stream';
import type { Logger } from 'pino';
import { observedJobs } from '../hooks/jobs.js';
import { Observation } from '../hooks/observation.js';
import { observedStorage } from '../hooks/store.js';
import { SlowReaders } from '../http/answers/slow-readers.js';
import { MetricsRegistry } from '../metrics/registry.js';
import type { Clock } from '../sdk/plugin/clock.js';
import type { Command } from '../sdk/plugin/command.js';
import type { Jobs } from '../sdk/services/jobs.js';
import type { Storage } from '../sdk/storage/port.js';
import { scoped, serviceFor, type Consumer, type Token } from '../sdk/plugin/token.js';
import {
  AUDIT,
  CLOCK,
  JOBS,
  METRICS,
  OBSERVERS,
  PAGES,
  PEOPLE,
  SCOPES,
  SLOW_READERS,
  STORAGE,
} from '../sdk/services/tokens.js';
import { BootError, StartAgain } from './boot-error.js';
import { Cleanup } from './cleanup.js';
import { contributedCommands } from './commands.js';
import { PluginInstance, type Phase } from './instance.js';
import { redactionOf, type LogTap } from './log.js';
import { peopleOf } from './people.js';
import type { Plan } from './plan/prepare.js';
import { collectScopes } from './plan/scopes.js';
import { Services } from './services.js';

export interface PluginOptions {
  readonly log: Logger;
  /** Of the log, for plugins that observe it. */
  readonly tap?: LogTap;
  readonly clock?: Clock;
  /** The ids of plugins to leave out, which failed in a kernel before this one. */
  readonly without?: readonly string[];
  /** Whether a kernel of this process was serving before. */
  readonly reloading?: boolean;
  /** The terminal, for the few things that are printed once and must not be logged. */
  readonly stdout: Writable;
}

export interface ReleaseFailure {
  /** The id of the instance. */
  readonly owner: string;
  readonly error: unknown;
}

export class Plugins {
  readonly metrics = new MetricsRegistry();
  readonly readers: SlowReaders;
  readonly observation: Observation;
  /** In the order of their set-up. */
  readonly all: readonly PluginInstance[];
  readonly #plan: Plan;
  readonly #options: PluginOptions;
  readonly #services = new Services();
  readonly #cleanup: Cleanup;
  readonly #releaseFailures: ReleaseFailure[] = [];
  readonly #draining = new AbortController();
  readonly #abort = new AbortController();
  #current: PluginInstance | undefined;

  constructor(plan: Plan, options: PluginOptions) {
    const { log, tap, without = [], clock = { now: () => Date.now() } } = options;
    // Every open stream listens to it.
    setMaxListeners(0, this.#draining.signal);
    this.#plan = plan;
    this.#options = options;
    this.readers = new SlowReaders(plan.server.maxUnread, log);
    this.#cleanup = new Cleanup(plan.server.releaseTimeout, (owner, error) => {
      this.#releaseFailures.push({ owner, error });
      log.error({ plugin: owner, err: error }, 'release failed');
    });
    this.all = plan.instances.map(
      (entry) =>
        new PluginInstance(entry, {
          timeout: plan.server.setupTimeout,
          cleanup: this.#cleanup,
          log: log.child({ plugin: entry.id }, { redact: redactionOf(entry.definition.config) }),
        }),
    );
    for (const instance of this.all) if (without.includes(instance.id)) instance.end('left-out');
    this.observation = new Observation(plan.instances);
    if (tap !== undefined && this.observation.observes('log'))
      tap.line = (line) => this.observation.line(line);
    this.#services.provide(CLOCK, clock);
    this.#services.provide(OBSERVERS, this.observation);
    this.#services.provide(SLOW_READERS, this.readers);
    this.#services.provide(SCOPES, collectScopes(plan.instances));
    this.#services.provide(PAGES, { list: () => this.up.flatMap(({ pages }) => pages) });
    this.#services.provide(PEOPLE, { list: () => peopleOf(this.all) });
    this.#services.provide(
      METRICS,
      scoped(({ id }) => this.metrics.forPlugin(id)),
    );
  }

  get up(): PluginInstance[] {
    return this.all.filter(({ state }) => state === 'up');
  }

  /** The ids of the plugins that were left out. */
  get degraded(): readonly string[] {
    return this.all.filter(({ state }) => state === 'left-out').map(({ id }) => id);
  }

  /** The plugin of which a phase began last. */
  get current(): PluginInstance | undefined {
    return this.#current;
  }

  get commands(): readonly Command[] {
    return contributedCommands(this.up, this.service(AUDIT, 'kernel'));
  }

  /** A token's service as the plugin `consumer` gets it; any other id is a consumer of its own. */
  service<T>(token: Token<T>, consumer: string): T | undefined {
    const instance = this.all.find(({ id }) => id === consumer);
    return this.#services.get(token, instance?.consumer ?? this.#asConsumer(consumer));
  }

  /** Skips a plugin that was left out, and leaves out those that need it. */
  async setUp(instance: PluginInstance): Promise<void> {
    if (instance.state === 'left-out') return;
    const { needs = {} } = instance.entry.definition;
    const missing = Object.values(needs).find((token) => !this.#services.has(token));
    if (missing === undefined) await this.attempt('setup', instance, () => this.#setUp(instance));
    else this.#leaveOut(instance, new Error(`needs ${missing.id}, whose provider was left out`));
  }

  /** Runs a phase of one plugin; a failure ends the boot, or leaves an optional plugin out. */
  async attempt(phase: Phase, instance: PluginInstance, work: () => Promise<void>): Promise<void> {
    this.#current = instance;
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

  /** For answers that do not end by themselves. */
  drain(): void {
    this.#draining.abort();
  }

  /** Never throws. */
  async release(): Promise<readonly ReleaseFailure[]> {
    this.#abort.abort();
    for (const instance of this.all) instance.end('stopped');
    await this.#cleanup.run();
    this.metrics.close();
    return this.#releaseFailures;
  }

  async #setUp(instance: PluginInstance): Promise<void> {
    const { id, config, prefix, definition } = instance.entry;
    const { reloading = false, stdout } = this.#options;
    const context = {
      ...instance.hooks,
      ...this.#services.inject(instance.consumer, definition),
      draining: this.#draining.signal,
      id,
      config,
      baseDir: this.#plan.baseDir,
      prefix,
      reloading,
      stdout,
    };
    await instance.setUp(() => definition.setup(context));
    const { hooks, provides: provided } = instance.contribution;
    if (hooks !== undefined) this.observation.add(hooks, instance.log, instance.consumer.signal);
    for (const [name, token] of Object.entries(definition.provides ?? {}))
      this.#services.provide(token, this.#observed(token, (provided as Record<string, unknown>)[name]));
  }

  /** Wraps the ports of storage and jobs if a plugin observes their work. */
  #observed({ id }: Token<unknown>, provided: unknown): unknown {
    const { observation } = this;
    if (id === STORAGE.id && observation.observes('store'))
      return scoped((consumer) =>
        observedStorage(serviceFor(provided, consumer) as Storage, consumer.id, observation),
      );
    if (id === JOBS.id && (observation.observes('job') || observation.observes('request')))
      return scoped((consumer) =>
        observedJobs(serviceFor(provided, consumer) as Jobs, consumer.id, observation),
      );
    return provided;
  }

  #leaveOut(instance: PluginInstance, error: unknown): void {
    this.#options.log.error({ plugin: instance.id, err: error }, 'left out');
    instance.end('left-out');
  }

  /** A consumer that is not a plugin: the kernel itself, a test. */
  #asConsumer(id: string): Consumer {
    return { id, scopes: {}, dialect: 'svc', signal: this.#abort.signal, log: this.#options.log };
  }
}
