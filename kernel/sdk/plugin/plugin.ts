/** The plugin contract: what a plugin declares, what it receives and what it returns. */
import type { Writable } from 'node:stream';
import type { Static, TObject } from '../typebox.js';
import type { Clients } from '../http/clients.js';
import type { Command } from './command.js';
import type { Dialect, DialectName, InvalidRequest, ServiceError } from '../http/errors.js';
import type { Hooks, Observed } from './hooks.js';
import type { Logger } from './logger.js';
import type { Routes } from '../http/routes.js';
import type { Page } from './pages.js';
import type { PeopleData } from './people.js';
import type { Provided, Services, Token, TokenMap } from './token.js';

/** The version of this contract. Raised only when an existing plugin would break. */
export const API = 1;

/** This plugin's own dependency injection container: it holds the declared needs and wants, and nothing else. */
export interface Container {
  /** Builds a class whose constructor parameters are marked with tsyringe's `@inject(TOKEN.key)`. */
  resolve<T>(constructor: new (...args: never[]) => T): T;
  /** Adds a value of the plugin's own, such as its config, under a token of its own. */
  set<T>(token: Token<T>, value: T): void;
  /** One instance of the class for the whole plugin. Without it, each class that asks gets a new one. */
  share(constructor: new (...args: never[]) => unknown): void;
}

export interface PluginContext<C, N extends TokenMap, W extends TokenMap> {
  /** The key of this instance in the config file. */
  readonly id: string;
  /** The checked config, with its defaults filled in. */
  readonly config: C;
  /** The folder of the config file (absolute): relative paths in a config start here. */
  readonly baseDir: string;
  /** The prefix of this instance's routes, for links to them: `/data`, or empty for the root. */
  readonly prefix: string;
  /** Whether this start replaces a running server of this process: a reload of the config. */
  readonly reloading: boolean;
  readonly needs: Services<N>;
  /** A wanted service is absent when no enabled plugin provides it. */
  readonly wants: Partial<Services<W>>;
  readonly container: Container;
  /** Each line names the plugin. Keys marked `secret` in the config schema are masked. */
  readonly log: Logger;
  /** The terminal, for what a person must see once and the log must never hold, such as a generated password. */
  readonly stdout: Writable;
  /** Aborted when the server stops, after the requests in flight have ended. */
  readonly signal: AbortSignal;
  /**
   * Aborted when the server begins to stop: for answers that do not end by themselves, such as event streams, which
   * would otherwise delay a stop or reload until `server.drainTimeout` cuts them.
   */
  readonly draining: AbortSignal;
  /**
   * Registers the release of a resource; call it on the line after the acquisition. Releases run last in,
   * first out, each with a deadline, also when `setup` fails later.
   */
  onStop(release: () => unknown): void;
  /**
   * Resets the timeout of this phase (`server.setupTimeout`), for work of unknown length such as an import. While the
   * server starts, `/-/ready` shows `done`, and `total` if given.
   */
  progress(done?: number, total?: number | null): void;
}

/** What `setup` returns: the plugin's services, and its parts in the server's life. Only `provides` is required. */
export type Contribution<P extends TokenMap> = {
  /** Mounts the HTTP routes. Their paths are relative to the instance's prefix, and so is `request.path`. */
  routes?: (app: Routes) => void | Promise<void>;
  /** Starts background work. Runs after every plugin's routes are mounted and before the server listens. */
  start?: () => void | Promise<void>;
  /** Readiness: throws if the plugin cannot serve. `/-/ready` shows the return value as detail. */
  check?: () => unknown;
  /** Commands. They run in the server that uses the store, else in one that is set up but never started. */
  commands?: readonly Command[];
  /** Pages that the console shows to holders of their scopes. */
  pages?: readonly Page[];
  /** Exports and erases a person's data: for every plugin that keeps any. */
  people?: PeopleData;
  /** Called at the start and the end of work of the kinds named under `observes`. */
  hooks?: Hooks;
} & (keyof P extends never ? { provides?: Record<never, never> } : { provides: Provided<P> });

/** A fault in a config that its schema accepts. */
export interface ConfigFault {
  /** The path in the plugin's own config: `['routes', 'fast', 'targets', 0]`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export interface PluginDefinition<
  C extends TObject = TObject,
  N extends TokenMap = TokenMap,
  W extends TokenMap = TokenMap,
  P extends TokenMap = TokenMap,
> {
  /** Lower case letters, digits and dashes. */
  readonly name: string;
  readonly api: number;
  /** One sentence for `plugboard plugins`. */
  readonly summary?: string;
  /** A TypeBox object schema that refuses unknown keys (`additionalProperties: false`). */
  readonly config: C;
  /**
   * Faults that a schema cannot express, e.g. a name that no other part of the config declares. `plugboard check`, a
   * start and a reload report them with their paths. Called only with a config that the schema accepts; pure.
   */
  configFaults?(config: Static<C>): Iterable<ConfigFault>;
  readonly needs?: N;
  readonly wants?: W;
  readonly provides?: P;
  /** The kinds of work that the plugin sees through its `hooks`; lists of plugins show them. */
  readonly observes?: readonly Observed[];
  /**
   * The prefix of the routes unless the config sets another: `/data`. Route paths are relative to it. Two
   * instances of a plugin cannot share one. Default: the root.
   */
  readonly prefix?: string;
  /**
   * Permissions for API keys, by name, each with a sentence: `{ 'data:read': 'read rows' }`.
   * A guard asks only for scopes that its plugin declares.
   */
  readonly scopes?: Readonly<Record<string, string>>;
  /** Response headers of this plugin that browsers of other origins may read, such as `content-range`. */
  readonly exposedHeaders?: readonly string[];
  /** The shape of this plugin's errors. Default: `svc`. */
  readonly dialect?: DialectName | Dialect;
  /** The shape for paths whose clients expect another than `dialect`. Called for each error; must not throw. */
  readonly dialectOf?: (path: string) => DialectName | Dialect | undefined;
  /** Clients that get this plugin's dialect for errors on paths that no plugin serves. */
  readonly clients?: Clients;
  /** Makes the plugin's own error for a request that fails its schema. Default: `invalid_request`, 400. */
  readonly invalid?: (problem: InvalidRequest) => ServiceError;
  /**
   * Commands that run without a server and before any set-up, such as repairing what `setup` cannot open. They get only
   * the checked config, and must themselves make sure that nothing else uses what they change.
   */
  standalone?(context: { readonly config: Static<C>; readonly baseDir: string }): readonly Command[];
  /** Acquires and wires; leaves background work to `start`. */
  setup(context: PluginContext<Static<C>, N, W>): Contribution<P> | Promise<Contribution<P>>;
}

/** Declares a plugin. Types flow from the config schema and the token records; nothing needs a cast. */
export function definePlugin<
  C extends TObject,
  N extends TokenMap = Record<never, never>,
  W extends TokenMap = Record<never, never>,
  P extends TokenMap = Record<never, never>,
>(definition: PluginDefinition<C, N, W, P>): PluginDefinition<C, N, W, P> {
  return definition;
}
