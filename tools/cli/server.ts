/** One server of `plugboard run`: a kernel, its log and its command socket, from its start to its end. */
import { createServer } from 'node:net';
import type { Logger } from 'pino';
import { StartAgain } from '../../kernel/boot/boot-error.js';
import { storeFolder } from './command-socket/address.js';
import { serveCommands, type CommandServer } from './command-socket/serve.js';
import { Kernel } from '../../kernel/boot/kernel.js';
import { createLog, type LogTap } from '../../kernel/boot/log.js';
import type { Port } from '../../kernel/http/listener/port.js';
import type { Plan } from '../../kernel/boot/plan/prepare.js';

export class Server {
  readonly log: Logger;
  readonly #tap: LogTap;
  readonly #plan: Plan;
  readonly #port: Port;
  readonly #reloading: boolean;
  #kernel: Kernel;
  #stopping = false;
  #commands: Promise<CommandServer> | undefined;

  private constructor(
    plan: Plan,
    port: Port,
    { log, tap }: { log: Logger; tap: LogTap },
    reloading: boolean,
  ) {
    this.#plan = plan;
    this.#port = port;
    this.#reloading = reloading;
    this.log = log;
    this.#tap = tap;
    this.#kernel = this.#kernelWithout([]);
  }

  /** `reloading`: it replaces a running one. */
  static async of(plan: Plan, port: Port, reloading = false): Promise<Server> {
    const tap: LogTap = {};
    const log = await createLog({ ...plan.log, secrets: plan.secrets, tap });
    return new Server(plan, port, { log, tap }, reloading);
  }

  /** Sets up, starts and listens. On failure everything is released. */
  async start(): Promise<void> {
    try {
      await this.#start();
    } catch (error) {
      await this.#release();
      if (!(error instanceof StartAgain) || this.#stopping) throw error;
      this.log.info(`starting again without ${error.without.join(', ')}`);
      this.#kernel = this.#kernelWithout(error.without);
      await this.start();
    }
  }

  /** Readiness is 503 from now on; all else is served until `stop`. */
  announceStop(): void {
    this.#kernel.announceStop();
  }

  /** Never throws; false when a release failed. May be called while the server starts. */
  stop(): Promise<boolean> {
    this.#stopping = true;
    return this.#release();
  }

  #kernelWithout(without: readonly string[]): Kernel {
    return new Kernel(this.#plan, {
      log: this.log,
      tap: this.#tap,
      stdout: process.stdout,
      port: this.#port,
      reloading: this.#reloading,
      without,
    });
  }

  async #start(): Promise<void> {
    const folder = storeFolder(this.#plan);
    await this.#kernel.open();
    await this.#kernel.setup();
    // As soon as there are commands: a start may take long, as for an import.
    if (folder !== undefined)
      await (this.#commands = serveCommands(folder, this.#kernel.commands(), this.log));
    await this.#kernel.start();
    const url = await this.#kernel.listen();
    this.log.info(`the API is described at ${url}/-/docs`);
    if (folder !== undefined) this.log.info(`the data is in ${folder}`);
    const page = this.#kernel.home === undefined ? '' : `${url}${this.#kernel.home}, or `;
    this.log.info(
      `make an API key: ${page}plugboard keys create NAME --scope SCOPE (plugboard scopes lists them)`,
    );
  }

  async #release(): Promise<boolean> {
    await (await this.#commands)?.close(this.#plan.server.drainTimeout);
    return (await this.#kernel.stop()).length === 0;
  }
}

/** Why the server could not listen on its port; undefined when it can, or when only listening tells. */
export function portProblem({ server: { host, port } }: Plan): Promise<string | undefined> {
  if (port === 0) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(
        code === 'EADDRINUSE'
          ? `port ${port} of ${host} is in use; set another port, or stop the other server`
          : undefined,
      ),
    );
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}
