/** The server as people run it: a process of its own, from a config file, with a store that outlives it. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { stringify } from 'yaml';
import { root } from './fixtures.js';
import type { StoreConfig } from './stores.js';

/** One installation: what its instances share. */
export interface Deployment {
  readonly storage: StoreConfig;
  readonly plugins: Readonly<Record<string, object | null>>;
  readonly adminPassword: string;
  /** An API key that may do everything. */
  readonly key: string;
  readonly sealKey: string;
  readonly server: object;
}

export function deployment(
  storage: StoreConfig,
  plugins: Deployment['plugins'],
  server: object = {},
): Deployment {
  return {
    storage,
    plugins,
    server,
    adminPassword: 'correct horse battery',
    key: `pb_${randomBytes(24).toString('base64url')}`,
    sealKey: randomBytes(32).toString('base64'),
  };
}

/** The plugins of this round, with the demo tables and one upstream. */
export function allPlugins(upstreamUrl: string): Deployment['plugins'] {
  const demo = join(root, 'config/demo');
  return {
    router: {
      upstreams: [
        { name: 'up', baseUrl: upstreamUrl, models: ['chat', { name: 'embed', kind: 'embedding' }] },
      ],
    },
    playground: null,
    memory: null,
    dataquery: { catalog: join(demo, 'cinema.yaml'), rows: join(demo, 'cinema.rows.json') },
  };
}

export class SpawnedServer {
  readonly url: string;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #output: string[];
  readonly #folder: string;

  private constructor(
    url: string,
    child: ChildProcessByStdio<null, Readable, Readable>,
    output: string[],
    folder: string,
  ) {
    this.url = url;
    this.#child = child;
    this.#output = output;
    this.#folder = folder;
  }

  static async start(installation: Deployment): Promise<SpawnedServer> {
    const folder = await mkdtemp(join(tmpdir(), 'plugboard-spawned-'));
    const file = join(folder, 'config.yaml');
    const { storage, plugins, adminPassword, key, sealKey, server } = installation;
    const auth = { use: 'local', adminPassword, firstKey: key, sealKeys: [sealKey] };
    await writeFile(
      file,
      stringify({ version: 1, server: { port: 0, ...server }, providers: { storage, auth }, plugins }),
    );
    const script = join(root, 'dist/tools/plugboard.js');
    const child = spawn(process.execPath, ['--enable-source-maps', script, 'run', file], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output: string[] = [];
    const url = await new Promise<string>((resolve, reject) => {
      const read = (chunk: Buffer): void => {
        output.push(chunk.toString());
        const found = /ready: [^"]*?(http:\/\/[^" ,]+)/.exec(output.join(''))?.[1];
        if (found !== undefined) resolve(found);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', (code) => reject(new Error(`the server exited with ${code}:\n${output.join('')}`)));
    });
    return new SpawnedServer(url, child, output, folder);
  }

  /** Everything it printed so far. */
  get output(): string {
    return this.#output.join('');
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Sends the signal and answers the exit code (null when the signal itself ended the process). */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const exited = once(this.#child, 'exit');
      this.#child.kill(signal);
      await exited;
    }
    await rm(this.#folder, { recursive: true, force: true });
    return this.#child.exitCode;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGKILL');
  }
}
