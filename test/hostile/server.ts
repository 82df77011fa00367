/** The server that is attacked: the default config, with what shows its memory. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { parse, stringify } from 'yaml';
import { root } from '../support/fixtures.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';
import type { StoreConfig } from '../support/stores.js';
import { FIRST_KEY } from './credentials.js';

/** Bytes, after a full collection of garbage. */
export interface Memory {
  readonly heap: number;
  readonly resident: number;
}

export class AttackedServer implements AsyncDisposable {
  readonly server: SpawnedServer;
  readonly #folder: string;
  readonly #models: Worker;

  private constructor(server: SpawnedServer, folder: string, models: Worker) {
    this.server = server;
    this.#folder = folder;
    this.#models = models;
  }

  static async start(storage: StoreConfig): Promise<AttackedServer> {
    const folder = await mkdtemp(join(tmpdir(), 'plugboard-hostile-'));
    const models = new Worker(join(import.meta.dirname, 'model-server.js'));
    const [url] = (await once(models, 'message')) as [string];
    const file = join(folder, 'config.yaml');
    await writeFile(file, await hostileConfig(storage, url));
    const server = await SpawnedServer.run([file], { env: telling(join(folder, MEMORY)) });
    return new AttackedServer(server, folder, models);
  }

  async memory(): Promise<Memory> {
    // What waits for timers of caches and connections may go.
    await sleep(SETTLES);
    const file = join(this.#folder, MEMORY);
    await rm(file, { force: true });
    this.server.kill('SIGUSR2');
    for (;;) {
      await sleep(50);
      const text = await readFile(file, 'utf8').catch(() => '');
      if (text !== '') return JSON.parse(text) as Memory;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.end('SIGKILL');
    await this.#models.terminate();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

const MEMORY = 'memory.json';
/** Milliseconds. */
const SETTLES = 2_000;

/** The default config, which has every plugin, on the store of the test, with a model to call. */
async function hostileConfig(storage: StoreConfig, models: string): Promise<string> {
  const config = parse(await readFile(join(root, 'config/default.yaml'), 'utf8')) as {
    plugins: Record<string, Record<string, unknown> | null>;
  };
  // Paths in a config are meant from its own folder.
  for (const entry of Object.values(config.plugins)) {
    for (const [key, value] of Object.entries(entry ?? {}))
      if (entry !== null && typeof value === 'string' && value.startsWith('demo/'))
        entry[key] = join(root, 'config', value);
  }
  config.plugins['router'] = {
    upstreams: [{ name: 'up', baseUrl: models }],
    routes: { fast: { targets: ['up/m'] } },
  };
  return stringify({
    ...config,
    // A server that protects itself from the requests before would not show what each of them costs.
    server: { port: 0, pressure: { eventLoopDelay: 0 } },
    providers: {
      storage,
      auth: { firstKey: FIRST_KEY, adminPassword: 'correct horse battery' },
      secrets: { keys: ['0'.repeat(64)] },
    },
  });
}

/** See `telling-memory.ts`. */
function telling(file: string): Record<string, string> {
  const script = join(import.meta.dirname, 'telling-memory.js');
  return { NODE_OPTIONS: `--import ${script}`, HOSTILE_MEMORY: file };
}
