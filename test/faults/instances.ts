/** Instances of the server that may be killed, and are at another address when they come back. */
import type { Deployment } from '../support/servers/deployment.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';

export class Instances implements AsyncDisposable {
  readonly #installation: Deployment;
  readonly #servers: SpawnedServer[] = [];

  private constructor(installation: Deployment) {
    this.#installation = installation;
  }

  static async start(installation: Deployment, count: number): Promise<Instances> {
    const instances = new Instances(installation);
    for (let at = 0; at < count; at++) await instances.start(at);
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
    this.#servers[at] = await SpawnedServer.start(this.#installation);
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
