/** One mongod as a process of its own: with the options that a test needs, stopped, paused or killed by it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient, type MongoClientOptions } from 'mongodb';
import { findMongod } from '../../../plugins/storage/memory-server/mongod.js';
import { LOCAL, type Host } from '../servers/host.js';

/** What needs a mongod of its own needs a binary; the URL of a running MongoDB is not enough. */
export const mongodMissing: string | false =
  findMongod() === null ? 'skipped: no mongod that a test may stop; see the end of the run' : false;

export interface MongodOptions {
  /** The machine that it runs on; this one if not given. */
  readonly host?: Host;
  readonly args?: readonly string[];
  readonly port?: number;
  /** Where its files are. Default: a temporary folder, removed with it. */
  readonly folder?: string;
  /** How a client gets in, for a mongod that does not let everybody. */
  readonly client?: MongoClientOptions;
}

export class Mongod {
  readonly address: string;
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #ownFolder: string | undefined;

  private constructor({ address }: Host, port: number, child: ChildProcess, ownFolder: string | undefined) {
    this.address = address;
    this.port = port;
    this.#child = child;
    this.#ownFolder = ownFolder;
  }

  /** Resolves when it answers. */
  static async start(options: MongodOptions = {}): Promise<Mongod> {
    const binary = findMongod()?.path;
    if (binary === undefined) throw new Error('no mongod for this test');
    const ownFolder =
      options.folder === undefined ? await mkdtemp(join(tmpdir(), 'plugboard-mongod-')) : undefined;
    const folder = options.folder ?? ownFolder ?? '';
    await mkdir(folder, { recursive: true });
    const port = options.port ?? (await freePort());
    const { host = LOCAL } = options;
    const fixed = ['--port', String(port), '--dbpath', folder, '--bind_ip', host.address];
    const small = ['--wiredTigerCacheSizeGB', '0.25', '--nounixsocket'];
    const [program = '', ...words] = [...host.command, binary, ...fixed, ...small, ...(options.args ?? [])];
    const mongod = new Mongod(host, port, spawn(program, words, { stdio: 'ignore' }), ownFolder);
    await mongod.command({ ping: 1 }, options.client);
    return mongod;
  }

  /** To this one alone, whatever set it belongs to. */
  get url(): string {
    return `mongodb://${this.address}:${this.port}/?directConnection=true`;
  }

  /** Sends the command to `admin` until it is answered: a server that has just begun refuses connections. */
  async command(command: object, options: MongoClientOptions = {}): Promise<void> {
    for (let left = 100; ; left--) {
      try {
        await using client = new MongoClient(this.url, { ...options, serverSelectionTimeoutMS: 500 });
        await client.db('admin').command(command);
        return;
      } catch (error) {
        if (left === 0) throw error;
        await delay(100);
      }
    }
  }

  /** SIGSTOP: it keeps its connections and answers nothing, from the return of this call on. */
  pause(): void {
    this.#child.kill('SIGSTOP');
    const latest = performance.now() + 1_000;
    // The signal stops one thread after another, and one that still runs may answer.
    while (hasRunningThread(this.#child.pid) && performance.now() < latest);
  }

  /** SIGCONT. */
  resume(): void {
    this.#child.kill('SIGCONT');
  }

  /** `kill -9`; its files stay. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    if (this.#ownFolder !== undefined) await rm(this.#ownFolder, { recursive: true, force: true });
  }
}

/** Of Linux; elsewhere nobody can tell. */
function hasRunningThread(pid = 0): boolean {
  if (process.platform !== 'linux') return false;
  const threads = `/proc/${pid}/task`;
  return readdirSync(threads).some(
    (thread) => !/\) [Tt] [^)]*$/.test(readFileSync(join(threads, thread, 'stat'), 'utf8')),
  );
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
