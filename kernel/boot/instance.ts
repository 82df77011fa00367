/** The life cycle of one plugin: its state, signal, releases, progress and timing. */
import type { Logger } from 'pino';
import type { StartStep } from '../http/listener/starting.js';
import type { Check } from '../http/operations/operations.js';
import type { Cleanup } from './cleanup.js';
import { checkContribution } from './contribution.js';
import { withDeadline } from './deadline.js';
import { installPages } from './pages.js';
import type { Instance } from './plan/order.js';
import type { InstalledPage } from '../sdk/plugin/pages.js';
import type { Contribution, PluginContext } from '../sdk/plugin/plugin.js';
import type { Consumer, TokenMap } from '../sdk/plugin/token.js';

/** A plugin that is `left-out` or `stopped` never comes back: what it returns or acquires later is discarded. */
export type InstanceState = 'planned' | 'setting-up' | 'up' | 'left-out' | 'stopped';

export type Phase = 'setup' | 'routes' | 'start';

interface InstanceParts {
  readonly timeout: number;
  readonly cleanup: Cleanup;
  readonly log: Logger;
}

export class PluginInstance {
  readonly entry: Instance;
  /** The plugin as others' scoped services see it. */
  readonly consumer: Consumer;
  readonly log: Logger;
  readonly #timeout: number;
  readonly #abort = new AbortController();
  readonly #cleanup: Cleanup;
  #state: InstanceState = 'planned';
  #contribution: Contribution<TokenMap> = { provides: {} };
  #pages: readonly InstalledPage[] = [];
  #setupTime = 0;
  /** The current or last phase. */
  #phase: Phase = 'setup';
  #began = 0;
  #progress: StartStep['progress'];
  #resetDeadline = (): void => {};

  /** `timeout` in milliseconds is what one phase may take without progress. `cleanup` keeps the releases of all. */
  constructor(entry: Instance, { timeout, cleanup, log }: InstanceParts) {
    const { scopes = {}, dialect = 'svc' } = entry.definition;
    this.entry = entry;
    this.log = log;
    this.consumer = { id: entry.id, scopes, dialect, signal: this.#abort.signal, log };
    this.#timeout = timeout;
    this.#cleanup = cleanup;
  }

  get id(): string {
    return this.entry.id;
  }

  get state(): InstanceState {
    return this.#state;
  }

  /** What set-up returned; empty before. */
  get contribution(): Contribution<TokenMap> {
    return this.#contribution;
  }

  /** From set-up's result. */
  get pages(): readonly InstalledPage[] {
    return this.#pages;
  }

  /** Its readiness check; undefined if it has none. */
  get readiness(): Check | undefined {
    const { id, optional } = this.entry;
    const { check: run } = this.#contribution;
    return run && { id, optional, run };
  }

  /** How long set-up took, in milliseconds. */
  get setupTime(): number {
    return this.#setupTime;
  }

  /** The instance's own part of the plugin's context. */
  get hooks(): Pick<PluginContext<object, TokenMap, TokenMap>, 'log' | 'signal' | 'onStop' | 'progress'> {
    return {
      signal: this.#abort.signal,
      log: this.log,
      onStop: (release: () => unknown): void => this.#cleanup.add(this.id, release),
      progress: (done, total = null): void => {
        if (done !== undefined) this.#progress = { done, total };
        this.#resetDeadline();
      },
    };
  }

  /** Runs `setup` and keeps what it returns, unless the instance was ended meanwhile. */
  async setUp(setup: () => unknown): Promise<void> {
    this.#state = 'setting-up';
    const returned = await this.within('setup', setup);
    if (this.state !== 'setting-up') throw new Error('it was stopped while it was set up');
    checkContribution(returned, this.entry.definition);
    this.#pages = installPages(returned.pages, {
      ...this.entry,
      scopes: Object.keys(this.entry.definition.scopes ?? {}),
    });
    this.#contribution = returned;
    this.#setupTime = performance.now() - this.#began;
    this.#state = 'up';
  }

  /** The current phase, for those who wait for it. */
  get step(): StartStep {
    const seconds = Math.floor((performance.now() - this.#began) / 1000);
    return {
      plugin: this.id,
      phase: this.#phase,
      seconds,
      ...(this.#progress && { progress: this.#progress }),
    };
  }

  /** Runs one phase under its deadline. */
  within<T>(phase: Phase, work: () => T | Promise<T>): Promise<T> {
    this.#phase = phase;
    this.#began = performance.now();
    this.#progress = undefined;
    const late = (): Error =>
      new Error(
        `did not end within ${this.#timeout} ms. You may have forgotten to resolve a promise, or what it waits for does not answer`,
      );
    const timed = async (progress: () => void): Promise<T> => {
      this.#resetDeadline = progress;
      return work();
    };
    return withDeadline(timed, this.#timeout, late);
  }

  /** Ends it and aborts its signal; `release` follows. Does nothing if it has ended. */
  end(state: 'left-out' | 'stopped'): void {
    if (this.#state === 'left-out' || this.#state === 'stopped') return;
    this.#state = state;
    this.#abort.abort();
  }

  /** Runs its releases. Never throws. */
  release(): Promise<void> {
    return this.#cleanup.run(this.id);
  }
}
