/**
 * Memory at 100,000 entries, as a server of its own over HTTP on the embedded store: pages far down, previews beside
 * the cheapest route, memory, and the time from a start to the first right answer.
 * `npm run memory:large [-- ENTRIES [OWNERS [FOLDER]]]` in tools/bench; a FOLDER is kept, and the next run fills in what it lacks.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Agent, request } from 'undici';
import { machine, table } from '../table.js';
import { uniform } from './random.js';

const ENTRIES = Number(process.argv[2] ?? 100_000);
const OWNERS = Number(process.argv[3] ?? 1);
const CONNECTIONS = 32;
const WORDS = 20_000;
const QUESTIONS = 300;
const PAGE = 50;
const WARM_UP = 20;

const random = uniform(1);
/** Words as common as in a language: a few everywhere, most seldom. */
const word = (): string => letters(Math.floor(WORDS ** random()));
const sentence = (length: number): string => Array.from({ length }, word).join(' ');
const ownerOf = (at: number): string => `owner${at % OWNERS}`;

const plugboard = resolve(import.meta.dirname, '../../../../dist/tools/plugboard.js');
const KEPT = process.argv[4];
const folder = KEPT ?? mkdtempSync(join(tmpdir(), 'bench-memory-'));
mkdirSync(folder, { recursive: true });
const config = join(folder, 'config.yaml');
const port = 20_000 + (process.pid % 20_000);
const url = `http://127.0.0.1:${port}`;
writeFileSync(
  config,
  `version: 1\nserver: { port: ${port} }\nproviders:\n  storage: { use: embedded, path: ./data }\n  auth: { use: local }\nplugins:\n  memory:\n`,
);
const agent = new Agent({ connections: CONNECTIONS, pipelining: 1 });
let key = '';

interface Answer {
  readonly status: number;
  readonly body: string;
}

async function call(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Answer> {
  const answer = await request(`${url}${path}`, {
    method,
    dispatcher: agent,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, body: await answer.body.text() };
}

/** On a busy machine the server sheds load: asked again. */
async function right(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<string> {
  let answer = await call(method, path, body);
  while (answer.status === 503) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    answer = await call(method, path, body);
  }
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
  return answer.body;
}

let server = await start();
try {
  const began = performance.now();
  const kept = total(await right('GET', '/api/memory?limit=1'));
  let next = kept;
  const insert = async (): Promise<void> => {
    for (let at = next++; at < ENTRIES; at = next++) {
      await right('POST', '/api/memory', {
        apiKeyId: ownerOf(at),
        key: `k${letters(at)}`,
        content: sentence(8 + Math.floor(random() * 12)),
      });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, insert));
  const inserted = (ENTRIES - kept) / ((performance.now() - began) / 1000);
  const filled = resident(server);

  const trivial = await times(() => right('GET', '/-/live'));
  const rows: string[][] = [];
  const measure = async (name: string, ask: () => Promise<unknown>): Promise<void> => {
    const before = processorTime(server);
    const taken = await times(ask);
    const spent = (processorTime(server) - before) / (WARM_UP + QUESTIONS);
    rows.push([name, ...figures(taken, trivial), spent.toFixed(1)]);
  };
  await measure('GET /-/live', () => right('GET', '/-/live'));
  await measure('GET /api/settings/memory', () => right('GET', '/api/settings/memory'));
  for (const strategy of ['exact', 'semantic', 'hybrid']) {
    await measure(`preview, ${strategy}`, () =>
      right('POST', '/api/memory/retrieve-preview', {
        query: sentence(6),
        strategy,
        apiKeyId: ownerOf(Math.floor(random() * OWNERS)),
      }),
    );
  }
  await measure('list, page 1', () => right('GET', `/api/memory?limit=${PAGE}`));
  const deep = Math.min(1900, Math.floor(ENTRIES / PAGE) - 1);
  let cursor = '';
  for (let page = 1; page < deep; page++) {
    const { nextCursor } = JSON.parse(await right('GET', `/api/memory?limit=${PAGE}${cursor}`)) as {
      nextCursor: string;
    };
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
  }
  await measure(`list, page ${deep} by its cursor`, () => right('GET', `/api/memory?limit=${PAGE}${cursor}`));
  await measure(`list, page ${deep} by its number`, () =>
    right('GET', `/api/memory?limit=${PAGE}&page=${deep}`),
  );
  const used = resident(server);

  const probe = { query: sentence(6), apiKeyId: ownerOf(0) };
  const before = found(await right('POST', '/api/memory/retrieve-preview', probe));
  await stop(server);
  const restarted = performance.now();
  server = await start(false);
  for (;;) {
    const answer = await call('POST', '/api/memory/retrieve-preview', probe).catch(() => undefined);
    if (answer?.status === 200 && found(answer.body) === before) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const up = (performance.now() - restarted) / 1000;
  const warm = resident(server);

  console.log(`${machine()}; ${ENTRIES} entries of ${OWNERS} owner(s), embedded store, built-in vectors\n`);
  if (kept < ENTRIES) console.log(`inserted ${inserted.toFixed(0)} a second, indexed when answered`);
  console.log(
    `resident: ${filled} MiB after the inserts, ${used} MiB after the questions, ${warm} MiB restarted`,
  );
  console.log(`from the start of the process to the first right preview: ${up.toFixed(1)} s\n`);
  console.log(table(['', 'p50, ms', 'p99, ms', 'p50 beside /-/live', 'processor time, ms'], rows));
} finally {
  await stop(server);
  if (KEPT === undefined) rmSync(folder, { recursive: true, force: true });
}

async function start(first = true): Promise<ChildProcess> {
  const child = spawn(process.execPath, [plugboard, 'run', config], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', (text: Buffer) => (said += text.toString()));
  child.stderr.on('data', (text: Buffer) => (said += text.toString()));
  if (!first) return child;
  for (let waited = 0; ; waited += 50) {
    if ((await call('GET', '/-/live').catch(() => undefined))?.status === 200) break;
    if (waited > 60_000 || child.exitCode !== null) throw new Error(`the server did not start: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const made = spawnSync(
    process.execPath,
    [plugboard, 'keys', 'create', 'bench', '--json', '--scope', 'manage', '--config', config],
    { encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(made.stderr);
  key = (JSON.parse(made.stdout) as { key: string }).key;
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await gone;
}

async function times(ask: () => Promise<unknown>): Promise<number[]> {
  for (let at = 0; at < WARM_UP; at++) await ask();
  const taken: number[] = [];
  for (let at = 0; at < QUESTIONS; at++) {
    const began = performance.now();
    await ask();
    taken.push(performance.now() - began);
  }
  return taken.sort((a, b) => a - b);
}

function figures(taken: readonly number[], beside: readonly number[]): string[] {
  const at = (times: readonly number[], share: number): number =>
    times[Math.ceil(times.length * share) - 1] ?? NaN;
  return [
    at(taken, 0.5).toFixed(2),
    at(taken, 0.99).toFixed(2),
    (at(taken, 0.5) / at(beside, 0.5)).toFixed(1),
  ];
}

/** Milliseconds, of all threads. */
function processorTime({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** MiB, of all threads. */
function resident({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

function found(body: string): string {
  return (JSON.parse(body) as { memories: { key: string }[] }).memories.map(({ key }) => key).join();
}

function total(body: string): number {
  return (JSON.parse(body) as { total: number }).total;
}

function letters(number: number): string {
  return String(number).replace(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)] ?? '');
}
