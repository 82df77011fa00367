/** Sends the corpus to a server in a process of its own, one by one, while a probe asks whether it is alive. */
import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Agent, request } from 'undici';
import { parse, stringify } from 'yaml';
import { root } from '../support/fixtures.js';
import { SpawnedServer } from '../support/spawned-server.js';
import type { StoreConfig } from '../support/stores.js';
import type { CorpusCase } from './corpus.js';

const APP = { name: 'hostile', url: 'https://app.example' };
const FIRST_KEY = `pb_${'hostile'.repeat(6)}`;

interface Credential {
  readonly authorization: string;
  /** The application's client id. */
  readonly app: string;
}

/** A request that is not answered in this time counts as never answered. */
const ANSWER_WITHIN = 20_000;
const PROBE_EVERY = 10;

/** Until the server has compiled its large schemas. */
const WARMS_UP = 4_000;

export interface Outcome {
  readonly group: string;
  readonly name: string;
  readonly request: string;
  /** 0 where the connection ended without an answer, -1 where nothing came in time. */
  readonly status: number;
  readonly body: string;
  /** Milliseconds of the request itself. */
  readonly took: number;
  /** Milliseconds of the longest probe that overlapped it. */
  readonly wait: number;
}

export interface Attack {
  readonly outcomes: readonly Outcome[];
  /** When warm, and after each pass. */
  readonly memory: readonly Memory[];
  /** Whether the server ended when it was asked to. */
  readonly exitCode: number | null;
}

/** Bytes, after a full collection of garbage. */
export interface Memory {
  readonly heap: number;
  readonly resident: number;
}

export interface AttackOptions {
  /** The corpus is sent so often; the outcomes are those of the first time. */
  readonly passes: number;
  /**
   * The wait of each request is that of probes during it alone, which takes two probes more for each. One that made
   * a probe wait for more milliseconds than this is sent three times more, and the least wait counts: a machine with
   * other work makes probes wait, too, but not each time.
   */
  readonly judgedBeyond?: number;
}

export async function attack(
  corpus: readonly CorpusCase[],
  storage: StoreConfig,
  { passes, judgedBeyond }: AttackOptions,
): Promise<Attack> {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-hostile-'));
  const file = join(folder, 'config.yaml');
  const upstream = new Worker(join(import.meta.dirname, 'model-server.js'));
  const [models] = (await once(upstream, 'message')) as [string];
  await writeFile(file, await hostileConfig(storage, models));
  const memoryFile = join(folder, 'memory.json');
  const server = await SpawnedServer.run([file], { env: telling(memoryFile) });
  const agent = new Agent({ connect: { timeout: ANSWER_WITHIN }, bodyTimeout: 0, headersTimeout: 0 });
  const probe = new Probe(server.url);
  try {
    const credentials = new Credentials(server.url);
    for (const each of corpus) await credentials.of(each);
    for (const each of corpus.slice(0, 20)) await send(each, server.url, credentials, agent);
    await sleep(WARMS_UP);
    const one = async (each: CorpusCase): Promise<Outcome> => {
      for (const first of each.before ?? [])
        await send({ ...each, ...first }, server.url, credentials, agent);
      if (judgedBeyond !== undefined) await probe.turn();
      probe.reset();
      const began = performance.now();
      const copies = Array.from({ length: each.atOnce ?? 1 }, () => each);
      const answers = await Promise.all(copies.map((copy) => send(copy, server.url, credentials, agent)));
      const answer = answers.toSorted((a, b) => worse(b.status) - worse(a.status))[0]!;
      const took = performance.now() - began;
      if (judgedBeyond !== undefined) await probe.turn();
      return {
        group: each.group,
        name: each.name,
        request: each.raw === undefined ? `${each.method ?? 'GET'} ${each.path}`.slice(0, 100) : 'raw bytes',
        ...answer,
        took,
        wait: probe.longest,
      };
    };
    const memory = [await memoryOf(server, memoryFile)];
    const outcomes: Outcome[] = [];
    for (let pass = 0; pass < passes; pass++) {
      for (const each of corpus) {
        const outcome = await one(each);
        if (pass > 0) continue;
        const again = outcome.wait > (judgedBeyond ?? Infinity) ? JUDGED_BY : 0;
        const repeated: Outcome[] = [outcome];
        while (repeated.length <= again) repeated.push(await one(each));
        outcomes.push({ ...outcome, wait: Math.min(...repeated.map(({ wait }) => wait)) });
      }
      memory.push(await memoryOf(server, memoryFile));
    }
    await probe.stop();
    await agent.destroy();
    const exitCode = await server.end('SIGTERM');
    return { outcomes, memory, exitCode };
  } finally {
    await probe.stop();
    await server.end('SIGKILL');
    await upstream.terminate();
    await rm(folder, { recursive: true, force: true });
  }
}

const JUDGED_BY = 3;

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
      auth: { firstKey: FIRST_KEY, adminPassword: 'correct horse battery', sealKeys: ['0'.repeat(64)] },
    },
  });
}

/** What opens routes: an API key of each scope, a user and an application. */
class Credentials {
  readonly #url: string;
  readonly #made = new Map<string, Promise<Credential>>();

  constructor(url: string) {
    this.#url = url;
  }

  /** Null where a case needs none. */
  async of({ scope, as }: CorpusCase): Promise<Credential | null> {
    if (as !== undefined) return this.#once(as, () => (as === 'user' ? this.#user() : this.#app()));
    return scope === undefined ? null : this.#once(scope, () => this.#key(scope));
  }

  #once(name: string, make: () => Promise<Credential>): Promise<Credential> {
    const made = this.#made.get(name) ?? make();
    this.#made.set(name, made);
    return made;
  }

  async #key(scope: string): Promise<Credential> {
    const { key } = await this.#post('/api/keys', { name: scope, scopes: [scope] });
    if (key === undefined) throw new Error(`no key for ${scope}`);
    return { authorization: `Bearer ${key}`, app: '' };
  }

  async #user(): Promise<Credential> {
    const password = 'correct horse battery';
    await this.#post('/api/users', { login: 'mallory', password });
    return { authorization: basic('mallory', password), app: await this.#clientId() };
  }

  async #app(): Promise<Credential> {
    const { clientId = '', clientSecret = '' } = await this.#post('/api/apps', APP);
    return { authorization: basic(clientId, clientSecret), app: clientId };
  }

  async #clientId(): Promise<string> {
    return (await this.#once('app', () => this.#app())).app;
  }

  async #post(path: string, body: object): Promise<Record<string, string | undefined>> {
    const answer = await request(this.#url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${FIRST_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.statusCode !== 201) throw new Error(`${path}: ${await answer.body.text()}`);
    return (await answer.body.json()) as Record<string, string | undefined>;
  }
}

function basic(login: string, password: string): string {
  return `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
}

/** An answer that never came first, then the others by their status. */
function worse(status: number): number {
  return status <= 0 ? 1_000 : status;
}

async function send(
  each: CorpusCase,
  url: string,
  credentials: Credentials,
  dispatcher: Agent,
): Promise<{ status: number; body: string }> {
  if (each.raw !== undefined) return sendRaw(each.raw, url);
  const { method = 'GET', headers = {}, body } = each;
  const credential = await credentials.of(each);
  const path = each.path.replace('{app}', credential?.app ?? '');
  const authorization = credential === null ? {} : { authorization: credential.authorization };
  try {
    const answer = await request(url + path, {
      method: method as 'GET',
      headers: { ...authorization, ...headers },
      ...(body !== undefined && { body: body() }),
      dispatcher,
      signal: AbortSignal.timeout(ANSWER_WITHIN),
    });
    let text = '';
    // An answer may be long: it is read to the end, as a client would, and not kept.
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      if (text.length < 2_000) text += chunk.toString();
    }
    return { status: answer.statusCode, body: text.slice(0, 2_000) };
  } catch (error) {
    // The server may answer and close while a large body is still being sent.
    return { status: (error as Error).name === 'TimeoutError' ? -1 : 0, body: (error as Error).message };
  }
}

async function sendRaw(bytes: string, url: string): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes, 'latin1'));
    const done = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0), body: answer.slice(0, 2_000) });
    };
    // Bytes that do not make a whole request are never answered: the connection is closed.
    const timer = setTimeout(done, 500);
    socket.setEncoding('latin1').on('data', (text: string) => (answer += text));
    socket.on('close', done).on('error', done);
  });
}

/** Asks `/-/live` every 10 ms over one connection, and remembers the longest answer. */
class Probe {
  longest = 0;
  readonly #url: string;
  readonly #agent = new Agent({ connections: 1, headersTimeout: 0 });
  readonly #loop: Promise<void>;
  #turns = 0;
  #stopped = false;

  constructor(url: string) {
    this.#url = `${url}/-/live`;
    this.#loop = this.#run();
  }

  reset(): void {
    this.longest = 0;
  }

  /** Resolves when a probe that began after the call was answered. */
  async turn(): Promise<void> {
    const wanted = this.#turns + 2;
    while (this.#turns < wanted && !this.#stopped) await sleep(1);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const began = performance.now();
      try {
        await (await request(this.#url, { dispatcher: this.#agent })).body.dump();
      } catch {
        // The server is gone: what the attack did to it is in the outcomes.
        await sleep(PROBE_EVERY);
      }
      this.longest = Math.max(this.longest, performance.now() - began);
      this.#turns += 1;
      await sleep(PROBE_EVERY);
    }
    await this.#agent.destroy();
  }
}

/** See `telling-memory.ts`. */
function telling(file: string): Record<string, string> {
  const script = join(import.meta.dirname, 'telling-memory.js');
  return { NODE_OPTIONS: `--import ${script}`, HOSTILE_MEMORY: file };
}

async function memoryOf(server: SpawnedServer, file: string): Promise<Memory> {
  // What waits for timers of caches and connections may go.
  await sleep(SETTLES);
  await rm(file, { force: true });
  server.kill('SIGUSR2');
  for (;;) {
    await sleep(50);
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text !== '') return JSON.parse(text) as Memory;
  }
}

const SETTLES = 2_000;
