/** Sends the corpus to a server in a process of its own, one by one, while a probe asks whether it is alive. */
import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
  /** Bytes of resident memory: when warm, and after all requests. */
  readonly memory: { readonly before: number; readonly after: number };
  /** Whether the server ended when it was asked to. */
  readonly exitCode: number | null;
}

/** `exact`: the wait of each request is that of probes during it alone, which takes two probes more for each. */
export async function attack(
  corpus: readonly CorpusCase[],
  storage: StoreConfig,
  { exact }: { readonly exact: boolean },
): Promise<Attack> {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-hostile-'));
  const file = join(folder, 'config.yaml');
  await writeFile(file, await hostileConfig(storage));
  const server = await SpawnedServer.run([file]);
  const agent = new Agent({ connect: { timeout: ANSWER_WITHIN }, bodyTimeout: 0, headersTimeout: 0 });
  const probe = new Probe(server.url);
  try {
    const credentials = new Credentials(server.url);
    for (const each of corpus) await credentials.of(each);
    for (const each of corpus.slice(0, 20)) await send(each, server.url, credentials, agent);
    const before = await residentBytes(server.pid);
    const outcomes: Outcome[] = [];
    for (const each of corpus) {
      probe.reset();
      const began = performance.now();
      const answer = await send(each, server.url, credentials, agent);
      const took = performance.now() - began;
      if (exact) await probe.turn();
      outcomes.push({
        group: each.group,
        name: each.name,
        request: each.raw === undefined ? `${each.method ?? 'GET'} ${each.path}`.slice(0, 100) : 'raw bytes',
        ...answer,
        took,
        wait: probe.longest,
      });
    }
    await sleep(1_000);
    const after = await residentBytes(server.pid);
    await probe.stop();
    await agent.destroy();
    const exitCode = await server.end('SIGTERM');
    return { outcomes, memory: { before, after }, exitCode };
  } finally {
    await probe.stop();
    await server.end('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

/** The default config, which has every plugin, on the store of the test. */
async function hostileConfig(storage: StoreConfig): Promise<string> {
  const config = parse(await readFile(join(root, 'config/default.yaml'), 'utf8')) as {
    plugins: Record<string, Record<string, unknown> | null>;
  };
  // Paths in a config are meant from its own folder.
  for (const entry of Object.values(config.plugins)) {
    for (const [key, value] of Object.entries(entry ?? {}))
      if (entry !== null && typeof value === 'string' && value.startsWith('demo/'))
        entry[key] = join(root, 'config', value);
  }
  return stringify({
    ...config,
    server: { port: 0 },
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

async function residentBytes(pid: number | undefined): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const pages = Number((await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1]);
  return pages * 4096;
}
