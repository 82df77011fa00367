/** `plugboard run`: serves a config until SIGTERM or SIGINT; SIGHUP reads it again. */
import { on, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Port } from '../../kernel/http/listener/port.js';
import type { ServerConfig } from '../../kernel/config/shape.js';
import { isUserError, UserError } from '../../kernel/sdk/plugin/command.js';
import type { Plan } from '../../kernel/boot/plan/prepare.js';
import {
  CONFIG_OPTIONS,
  findConfig,
  planOrFail,
  prepareFiles,
  showProblems,
  type ConfigFiles,
  type PreparedFiles,
} from './config.js';
import type { ExitCode } from './exit-code.js';
import { portProblem, Server } from './server.js';
import { watchAndRun } from './watch.js';
import { parseWords } from './words.js';

/** Milliseconds in which a request in flight when the port closed still arrives. */
const GRACE = 500;

export async function runServer(words: readonly string[]): Promise<ExitCode> {
  const options = { watch: { type: 'boolean' }, ...CONFIG_OPTIONS } as const;
  const { values, positionals } = parseWords(words, { options, most: Infinity });
  const config = findConfig(positionals, values);
  if (values.watch === true) return watchAndRun(config, words);
  const prepared = await planOrFail(config);
  await assertPort(prepared);
  const port = new Port();
  const run = new Run(config, prepared.plan, port, await Server.of(prepared.plan, port));
  // A server that is still starting is stopped like any other, even if its start hangs.
  return run.until(interruption(), crash());
}

/** Throws a `UserError` with the place in the file when the port is in use. */
async function assertPort(prepared: PreparedFiles & { readonly plan: Plan }): Promise<void> {
  const message = await portProblem(prepared.plan);
  if (message === undefined) return;
  const path = ['server', 'port'];
  const position = prepared.source.locate(path);
  throw new UserError(
    showProblems({ ...prepared, problems: [{ severity: 'error', path, message, position }] }),
  );
}

/** The life of the process: one server after another, each with the config as it was when it started. */
class Run {
  readonly #config: ConfigFiles;
  #plan: Plan;
  #port: Port;
  #server: Server;
  #stopping = false;

  constructor(config: ConfigFiles, plan: Plan, port: Port, server: Server) {
    this.#config = config;
    this.#plan = plan;
    this.#port = port;
    this.#server = server;
  }

  /**
   * Serves until it is interrupted, by the signal named, or crashes. Rejects when the server cannot start, or cannot
   * start again.
   */
  async until(interrupted: Promise<string>, crashed: Promise<Error>): Promise<ExitCode> {
    const end = new AbortController();
    try {
      const reason = await Promise.race([interrupted, crashed, this.#serve(end.signal)]);
      this.#stopping = true;
      const { log } = this.#server;
      const error = reason instanceof Error ? reason : await this.#leave(reason, crashed);
      if (error !== undefined) log.fatal({ err: error }, 'stopping after an error that nobody handled');
      this.#port.retire(error === undefined ? Math.min(GRACE, this.#plan.server.drainTimeout) : 0);
      const released = await this.#server.stop();
      return error !== undefined || !released ? 1 : 0;
    } finally {
      end.abort();
      this.#port.close();
    }
  }

  /**
   * Serves for `server.stopDelay` with readiness at 503: until load balancers know, the next SIGTERM, or a crash, which
   * it answers.
   */
  async #leave(signal: string, crashed: Promise<Error>): Promise<Error | undefined> {
    const { stopDelay } = this.#plan.server;
    const delay = this.#port.serving ? stopDelay : 0;
    this.#server.log.info(`${signal}: stopping${delay === 0 ? '' : ` in ${delay} ms (server.stopDelay)`}`);
    if (delay === 0) return undefined;
    this.#server.announceStop();
    const again = once(process, 'SIGTERM').then(() => undefined);
    return Promise.race([sleep(delay, undefined, { ref: false }), again, crashed]);
  }

  async #serve(signal: AbortSignal): Promise<never> {
    // A signal during the start is handled after it.
    const hangups = on(process, 'SIGHUP', { signal });
    await this.#server.start();
    for await (const _ of hangups) await this.#reload();
    throw new Error('the process no longer listens for SIGHUP');
  }

  /** Checks the config first: with problems the running server is kept. */
  async #reload(): Promise<void> {
    const { log } = this.#server;
    const plan = await this.#checkedPlan();
    if (this.#stopping) return;
    if (plan === undefined) {
      log.error('the config has problems; the server goes on with the one that it has');
      return;
    }
    log.info('reloading the config');
    const [old, next] = [this.#plan.server, plan.server];
    await this.#server.stop();
    // The old address stays open until the new one answers, if both can be.
    if (next.port === old.port && !isSamePlace(next, old)) this.#port = reopened(this.#port);
    const port = next.port === old.port ? this.#port : new Port();
    try {
      await this.#start(plan, port);
    } catch (error) {
      if (port !== this.#port) port.close();
      if (this.#stopping) throw error;
      log.error({ err: error }, 'the new config does not come up; going back to the old one');
      if (port === this.#port && !isSamePlace(next, old)) this.#port = reopened(port);
      await this.#start(this.#plan, this.#port);
      return;
    }
    if (port !== this.#port) this.#port.close(port);
    this.#port = port;
    this.#plan = plan;
  }

  async #checkedPlan(): Promise<Plan | undefined> {
    try {
      const { port } = this.#plan.server;
      const prepared = await prepareFiles(this.#config);
      const { plan } = prepared;
      if (plan === undefined) console.error(showProblems(prepared));
      // Its own port is in use by the server itself.
      else if (plan.server.port !== port) await assertPort({ ...prepared, plan });
      return plan;
    } catch (error) {
      if (!isUserError(error)) throw error;
      console.error((error as Error).message);
      return undefined;
    }
  }

  async #start(plan: Plan, port: Port): Promise<void> {
    const server = await Server.of(plan, port, true);
    if (this.#stopping) throw new Error('stopped while it was reloading');
    this.#server = server;
    await server.start();
  }
}

/** Whether one listener serves both configs. */
function isSamePlace(one: ServerConfig, other: ServerConfig): boolean {
  return (
    one.host === other.host &&
    one.port === other.port &&
    (one.tls === undefined) === (other.tls === undefined)
  );
}

function reopened(port: Port): Port {
  port.close();
  return new Port();
}

/** The first signal asks for an orderly stop; a second SIGINT ends the process with 130. */
function interruption(): Promise<string> {
  return new Promise((resolve) => {
    let interrupts = 0;
    process.on('SIGINT', () => {
      interrupts += 1;
      if (interrupts > 1) process.exit(130);
      resolve('SIGINT');
    });
    process.on('SIGTERM', () => resolve('SIGTERM'));
  });
}

/** After an unhandled error the state is unknown: stop in order rather than go on serving. */
function crash(): Promise<Error> {
  return new Promise((resolve) => {
    process.on('uncaughtException', resolve);
    process.on('unhandledRejection', (reason) =>
      resolve(reason instanceof Error ? reason : new Error(String(reason))),
    );
  });
}
