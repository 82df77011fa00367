/** Boots the real kernel in memory, without listening, with fakes by token. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import type { DestinationStream } from 'pino';
import { Type } from '../sdk/typebox.js';
import { pathText } from '../config/problem.js';
import { configFromValue } from '../config/read.js';
import { StartAgain } from '../boot/boot-error.js';
import { Kernel, type KernelOptions } from '../boot/kernel.js';
import { createLog, type LogTap } from '../boot/log.js';
import { prepare, type Plan } from '../boot/plan/prepare.js';
import type { Clock } from '../sdk/plugin/clock.js';
import { isUserError, type Command, type CommandCall } from '../sdk/plugin/command.js';
import { definePlugin, type PluginDefinition } from '../sdk/plugin/plugin.js';
import type { Routes } from '../sdk/http/routes.js';
import type { Token } from '../sdk/plugin/token.js';
import { JOBS } from '../sdk/services/tokens.js';
import { slots, type BuiltIns } from '../boot/plan/slots.js';

// Any plugin: its type parameters do not matter here.
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyPlugin = PluginDefinition<any, any, any, any>;

/** Injected because the kernel knows neither plugins nor the command line. */
export interface TestParts {
  readonly builtins: BuiltIns;
  /** Runs the command that the words name; undefined if there is none. Rejects as the command does. */
  readonly run: (
    commands: readonly Command[],
    words: readonly string[],
    streams: Omit<CommandCall, 'args' | 'options'>,
  ) => Promise<void> | undefined;
}

export interface BootTestOptions {
  plugins?: readonly {
    plugin: AnyPlugin;
    config?: object;
    id?: string;
    prefix?: string;
    optional?: boolean;
  }[];
  /** `providers.storage` of the config. Default: the embedded store in a temporary folder. */
  storage?: { use: string; [key: string]: unknown };
  /** `providers.auth` of the config. */
  auth?: { use?: string; [key: string]: unknown };
  /** `providers.secrets` of the config. */
  secrets?: { use?: string; [key: string]: unknown };
  /** `providers.audit` of the config. */
  audit?: { [key: string]: unknown };
  /** `providers.jobs` of the config. Default: polls every 20 ms. */
  jobs?: { poll?: number; lease?: number };
  /** Services filled by hand, see `fake`. A faked storage or auth takes the provider's place. */
  provide?: readonly AnyPlugin[];
  /** `server` of the config. */
  server?: object;
  clock?: Clock;
  /** The folder where relative paths in configs start. Default: a temporary folder, removed at the stop. */
  baseDir?: string;
  /** Receives the log, JSON lines at level trace. Default: no log. */
  log?: DestinationStream;
  /** Receives what the server prints on the terminal. Default: nowhere. */
  stdout?: Writable;
}

export interface TestServer {
  readonly app: Routes;
  readonly baseDir: string;
  /** Every route that a plugin mounted: the id of the instance, the method and the whole path. */
  readonly routes: readonly { readonly owner: string; readonly method: string; readonly path: string }[];
  inject(options: InjectOptions | string): Promise<LightMyRequestResponse>;
  /** Listens on a free port of 127.0.0.1 and returns the URL. */
  listen(): Promise<string>;
  /** A token's service, as the plugin `consumer` would get it. */
  service<T>(token: Token<T>, consumer?: string): T;
  /** Runs a plugin's command: `['keys', 'list']`. */
  command(
    words: readonly string[],
    input?: string,
  ): Promise<{ code: number; stdout: string; stderr: string }>;
  /** A new API key with these scopes; without any, one for everything. */
  key(...scopes: string[]): Promise<string>;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Boots the real kernel in memory, without listening. Throws the problems of the config as a user would see them. */
export async function bootTest(parts: TestParts, options: BootTestOptions = {}): Promise<TestServer> {
  const ownDir = options.baseDir === undefined ? await mkdtemp(join(tmpdir(), 'plugboard-test-')) : undefined;
  const baseDir = options.baseDir ?? ownDir ?? '';
  const removeOwnDir = async (): Promise<void> => {
    if (ownDir !== undefined) await rm(ownDir, { recursive: true, force: true });
  };
  try {
    const { value, plugins } = testConfig(options);
    const builtins = { ...parts.builtins, plugins };
    const source = configFromValue('bootTest', value);
    const { plan, problems } = await prepare({ source, builtins, env: process.env, baseDir, testing: true });
    if (plan === undefined)
      throw new Error(problems.map(({ path, message }) => `${pathText(path)}: ${message}`).join('\n'));
    const tap: LogTap = {};
    const log = await createLog(
      { level: options.log === undefined ? 'silent' : 'trace', format: 'json', secrets: plan.secrets, tap },
      options.log,
    );
    const stdout = options.stdout ?? new PassThrough().resume();
    const kernel = await boot(plan, { log, tap, stdout, ...(options.clock && { clock: options.clock }) });
    const stop = async (): Promise<void> => {
      const failures = await kernel.stop();
      await removeOwnDir();
      if (failures.length > 0)
        throw new AggregateError(
          failures.map(({ error }) => error),
          `releases failed: ${failures.map(({ owner }) => owner).join(', ')}`,
        );
    };
    const command: TestServer['command'] = (words, input = '') =>
      runWords(parts.run, kernel.commands(), words, input);
    return {
      app: kernel.app,
      baseDir,
      routes: kernel.routes,
      inject: (request) => kernel.app.inject(request),
      listen: () => kernel.app.listen({ host: '127.0.0.1', port: 0 }),
      service: (token, consumer = 'test') => {
        const service = kernel.service(token, consumer);
        if (service === undefined) throw new Error(`nothing provides ${token.id} in this test`);
        return service;
      },
      command,
      key: async (...scopes) => {
        const { code, stdout, stderr } = await command([
          'keys',
          'create',
          'test',
          '--json',
          ...(scopes.length === 0 ? ['*'] : scopes).flatMap((scope) => ['--scope', scope]),
        ]);
        if (code !== 0) throw new Error(`keys create: ${stderr}`);
        return (JSON.parse(stdout) as { key: string }).key;
      },
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await removeOwnDir();
    throw error;
  }
}

/** A plugin that provides one service made by the test. */
export function fake<T>(token: Token<T>, service: T): AnyPlugin {
  return definePlugin({
    name: `fake-${token.id.replace(/[^a-z0-9]+/gi, '-').toLowerCase()}`,
    api: 1,
    config: Type.Object({}, { additionalProperties: false }),
    provides: { service: token },
    setup: () => ({ provides: { service: service } }),
  });
}

/** Collects a log for a test to read. */
export class LogLines extends Writable {
  readonly lines: string[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.lines.push(...chunk.toString().trimEnd().split('\n'));
    done();
  }
}

/** Sets up and starts a plan without listening; again without the optional plugins that fail on the way. */
async function boot(plan: Plan, options: KernelOptions): Promise<Kernel> {
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

const TEST_SEAL_KEY = '0'.repeat(64);

/** The config that boots the plugins, each under a name that resolves to the object passed in. */
function testConfig({
  plugins = [],
  provide = [],
  storage,
  auth,
  audit,
  secrets,
  jobs,
  server,
}: BootTestOptions) {
  const entries = [...provide.map((plugin) => ({ plugin, id: undefined, config: undefined })), ...plugins];
  const underTest: Record<string, () => Promise<{ default: unknown }>> = {};
  const section: Record<string, object> = {};
  for (const [at, entry] of entries.entries()) {
    const use = `under-test-${at}`;
    underTest[use] = () => Promise.resolve({ default: entry.plugin });
    const { plugin: _, id, config, ...kernelKeys } = entry;
    section[id ?? entry.plugin.name] = { use, ...structuredClone(config ?? {}), ...kernelKeys };
  }
  const faked = new Set(
    provide.flatMap((plugin) => Object.values(plugin.provides ?? {}) as Token<unknown>[]).map(({ id }) => id),
  );
  const replaced = slots.filter(({ provides }) => provides.some(({ id }) => faked.has(id)));
  // A shared store has no folder for a generated key, so the test has one.
  const isShared = storage !== undefined && storage.use !== 'embedded';
  const providers = {
    ...(storage && { storage }),
    ...(auth && { auth }),
    ...((secrets ?? isShared) && { secrets: { ...(isShared && { keys: [TEST_SEAL_KEY] }), ...secrets } }),
    ...(audit && { audit }),
    ...(plugins.some(({ plugin }) => usesJobs(plugin)) && { jobs: { poll: 20, ...jobs } }),
    ...Object.fromEntries(replaced.map(({ name }) => [name, { enabled: false }])),
  };
  const value = {
    version: 1,
    server: { port: 0, pressure: { eventLoopDelay: 0 }, ...server },
    providers,
    plugins: section,
  };
  return { value, plugins: underTest };
}

function usesJobs({ needs, wants }: AnyPlugin): boolean {
  return (Object.values({ ...needs, ...wants }) as Token<unknown>[]).some(({ id }) => id === JOBS.id);
}

async function runWords(
  run: TestParts['run'],
  commands: readonly Command[],
  words: readonly string[],
  input: string,
) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const stdin = new PassThrough();
  stdin.end(input);
  const { signal } = new AbortController();
  const running = run(commands, words, { stdin, stdout, stderr, signal, cwd: process.cwd() });
  if (running === undefined) return { code: 2, stdout: '', stderr: `there is no command ${words.join(' ')}` };
  const outputs = Promise.all([text(stdout), text(stderr)]);
  let code = 0;
  try {
    await running;
  } catch (error) {
    code = isUserError(error) ? 2 : 1;
    stderr.write(`${(error as Error).message}\n`);
  }
  stdout.end();
  stderr.end();
  const [out, err] = await outputs;
  return { code, stdout: out, stderr: err };
}
