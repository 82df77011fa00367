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

/** A dependency injection container of this plugin alone: it holds the declared needs and wants, and nothing else. */
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
  /** The folder of the config file (absolute): relative paths in a config are meant from here. */
  readonly baseDir: string;
  /** Where the routes of this instance stand, for links to them: `/data`, or empty for the root. */
  readonly prefix: string;
  /** Whether this start takes the place of a server of this process that was serving: a reload of the config. */
  readonly reloading: boolean;
  readonly needs: Services<N>;
  /** A wanted service is absent when no enabled plugin provides it. */
  readonly wants: Partial<Services<W>>;
  readonly container: Container;
  /** Names the plugin in every line. Keys marked `secret` in the config schema are masked. */
  readonly log: Logger;
  /** The terminal: for what a person must see once and the log must never hold, e.g. a generated password. */
  readonly stdout: Writable;
  /** Aborted when the server stops, after the requests in flight have ended. */
  readonly signal: AbortSignal;
  /**
   * Aborted when the server begins to stop: for answers without an end of their own, such as streams of events, which
   * would hold up the stop, or a reload, until they are cut after `server.drainTimeout`.
   */
  readonly draining: AbortSignal;
  /**
   * Registers the release of a resource; call it on the line after the acquisition. Releases run last in,
   * first out, each with a deadline, also when `setup` fails later.
   */
  onStop(release: () => unknown): void;
  /**
   * Resets the timeout of this phase (`server.setupTimeout`). For work that takes as long as there is something to
   * do, such as an import. While the server starts, `/-/ready` shows what is done, of `total` where it is known.
   */
  progress(done?: number, total?: number | null): void;
}

/** What `setup` returns: the services it provides and its parts in the life of the server. All are optional but `provides`. */
export type Contribution<P extends TokenMap> = {
  /** Mounts the HTTP routes. Their paths are relative to the instance's prefix, and so is `request.path`. */
  routes?: (app: Routes) => void | Promise<void>;
  /** Starts background work. Runs after every plugin's routes are mounted and before the server listens. */
  start?: () => void | Promise<void>;
  /** Readiness: throws when the plugin cannot serve. What it returns is shown as detail on `/-/ready`. */
  check?: () => unknown;
  /** Commands for the command line: they run in the server that uses the store, or else in one that is set up but does not start or listen. */
  commands?: readonly Command[];
  /** Pages that the console shows, for those who hold their scopes. */
  pages?: readonly Page[];
  /** How a person's data is exported and erased: for every plugin that keeps some. */
  people?: PeopleData;
  /** What is called at the begin and the end of work, of the kinds that the definition names under `observes`. */
  hooks?: Hooks;
} & (keyof P extends never ? { provides?: Record<never, never> } : { provides: Provided<P> });

/** What is wrong with a config that its schema takes. */
export interface ConfigFault {
  /** The place in the plugin's own config: `['routes', 'fast', 'targets', 0]`. */
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
   * What a schema cannot say, e.g. that a name is declared in another part of the config: told with its place by
   * `plugboard check`, a start and a reload. Asked only of a config that the schema takes, and looks at it alone.
   */
  configFaults?(config: Static<C>): Iterable<ConfigFault>;
  readonly needs?: N;
  readonly wants?: W;
  readonly provides?: P;
  /** The work of others that the plugin sees through its `hooks`: who lists the plugins is told. */
  readonly observes?: readonly Observed[];
  /**
   * Where the routes stand unless the config says otherwise: `/data`. Paths of routes are relative to it. Two
   * instances of one plugin cannot share it. Default: the root.
   */
  readonly prefix?: string;
  /**
   * What an API key of this plugin may be allowed, by name, each with a sentence: `{ 'data:read': 'read rows' }`.
   * A guard asks only for scopes that its plugin declares.
   */
  readonly scopes?: Readonly<Record<string, string>>;
  /** Response headers of this plugin that browsers of other origins may read, such as `content-range`. */
  readonly exposedHeaders?: readonly string[];
  /** The shape in which this plugin's routes answer errors. Default: `svc`. */
  readonly dialect?: DialectName | Dialect;
  /** The shape on a path whose clients read another one than `dialect`. Called for each error; must not throw. */
  readonly dialectOf?: (path: string) => DialectName | Dialect | undefined;
  /** Clients to whom errors on paths that no plugin has are told in this plugin's dialect. */
  readonly clients?: Clients;
  /** Turns a request that its schema refused into the plugin's own error. Default: `invalid_request`, 400. */
  readonly invalid?: (problem: InvalidRequest) => ServiceError;
  /**
   * Commands that run without a server and before any set-up, such as the repair of what `setup` cannot open. They get
   * the checked config alone, and take care themselves that nobody else uses what they change.
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
