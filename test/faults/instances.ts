/** Instances of the server that may be killed, and are at another address when they come back. */
import type { Deployment } from '../support/servers/deployment.js';
import { SpawnedServer, type RunOptions } from '../support/servers/spawned-server.js';

export class Instances implements AsyncDisposable {
  readonly #installation: Deployment;
  readonly #options: readonly RunOptions[];
  readonly #servers: SpawnedServer[] = [];

  private constructor(installation: Deployment, options: readonly RunOptions[]) {
    this.#installation = installation;
    this.#options = options;
  }

  /** One instance for each of the options. */
  static async start(installation: Deployment, options: readonly RunOptions[]): Promise<Instances> {
    const instances = new Instances(installation, options);
    for (const at of options.keys()) await instances.start(at);
    return instances;
  }

  get all(): readonly number[] {
    return [...this.#servers.keys()];
  }

  get key(): string {
    return this.#installation.key;
  }

  url(at: number): string {
    return this.#servers[at]?.url ?? '';
  }

  async start(at: number): Promise<void> {
    this.#servers[at] = await SpawnedServer.start(this.#installation, this.#options[at]);
  }

  signal(at: number, signal: NodeJS.Signals): void {
    this.#servers[at]?.kill(signal);
  }

  async kill(at: number): Promise<void> {
    await this.#servers[at]?.end('SIGKILL');
  }

  async stop(at: number): Promise<void> {
    await this.#servers[at]?.end('SIGTERM');
  }

  /** What they logged of errors that they did not expect. */
  get faults(): string[] {
    return this.#servers.flatMap(({ output }) =>
      output.split('\n').filter((line) => line.includes('"level":50')),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) {
      server.kill('SIGCONT');
      await server.end('SIGKILL');
    }
  }
}
