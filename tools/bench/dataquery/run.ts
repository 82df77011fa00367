/**
 * The data API beside the same JSON made by SQL in PostgreSQL, over HTTP, in alternating rounds of one run.
 * `npm run dataquery` in tools/bench; MongoDB too where `MONGODB_URI` names one, with the driver by hand beside it.
 * `BENCH_BEFORE` names the command (dist/tools/plugboard.js) of another version that is measured in the same run,
 * `BENCH_ONLY` is a regular expression for the names of requests, `BENCH_WARM` says for how many seconds many requests at
 * once come before the first round (3): a server that has just started takes thousands of them until its code is compiled.
 * `BENCH_WRITES` is how many times a second, at most, a row that no request shows is changed meanwhile, through the data API.
 * `BENCH_PAUSE=1` waits for a line of input between loading and measuring; `BENCH_DATA` names a folder that keeps the
 * embedded store for the next run, and what is in MongoDB stays too.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import autocannon from 'autocannon';
import { machine, median, table } from '../table.js';
import { catalog, films, people, roles } from './cinema.js';
import { oneByOne } from './one-by-one.js';
import { startPostgres, type Postgres } from './postgres.js';
import { processorTime } from './processor-time.js';
import { requests as all, type Measured } from './requests.js';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 4);
const WARM = Number(process.env['BENCH_WARM'] ?? 3);
const ONLY = new RegExp(process.env['BENCH_ONLY'] ?? '');
const WRITES = Number(process.env['BENCH_WRITES'] ?? 0);
const MONGODB = process.env['MONGODB_URI'];
/** A store that is shared asks for one; the next run may find the same store. */
const SEAL_KEY = Buffer.alloc(32, 'bench').toString('base64');

interface Side {
  readonly name: string;
  readonly url: string;
  path(measured: Measured, at: number, value: number): string;
  /** The processes that answer; undefined where the database is not one of ours. */
  readonly processes: readonly number[] | undefined;
  readonly hasDataApi?: true;
  /** Answers that are kept until the next commit are asked for again; else no two requests are alike. */
  readonly keeps?: true;
}

const requests = [...all.entries()].filter(([, { name }]) => ONLY.test(name));
const children: ChildProcess[] = [];
let asked = 0;
const folder = await mkdtemp(join(tmpdir(), 'bench-dataquery-'));
const kept = process.env['BENCH_DATA'] ?? folder;
const postgres = await startPostgres(Number(process.env['BENCH_POSTGRES_PORT'] ?? 54_329));
try {
  await writeRows(join(folder, 'rows.json'));
  const sides = await start();
  for (const [at, measured] of requests) await compare(sides, measured, at);
  if (process.env['BENCH_PAUSE'] === '1') {
    console.error('loaded; a line of input starts the measurement');
    await once(process.stdin, 'data');
    process.stdin.pause();
  }
  console.log(`${machine()}; ${ROUNDS} alternating rounds of ${SECONDS} s; medians\n`);
  const many: (string | number)[][] = [];
  const single: (string | number)[][] = [];
  for (const [at, measured] of requests) {
    const rows = await (measured.connections === 1 ? timed : loaded)(sides, measured, at);
    (measured.connections === 1 ? single : many).push(...rows);
    console.error(rows.map((row) => row.join('  ')).join('\n'));
  }
  console.log(
    table(['request', 'side', 'requests/s', 'p99, ms', 'processor, us/request', 'ratio to SQL'], many),
  );
  console.log(`\n${table(['request, one at a time', 'side', 'ms', 'times that of SQL'], single)}`);
} finally {
  for (const child of children) child.kill('SIGKILL');
  await postgres.stop();
  await rm(folder, { recursive: true });
}

/** SQL by hand is the last one. */
async function start(): Promise<Side[]> {
  const before = process.env['BENCH_BEFORE'];
  const command = join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'tools', 'plugboard.js');
  const embedded = (name: string): object => ({ use: 'embedded', path: join(kept, name) });
  const mongodb = (database: string): object => ({ use: 'mongodb', url: MONGODB, database });
  const sides: Side[] = [];
  if (before !== undefined) sides.push(await plugboard('before', before, embedded('before'), 54_333));
  const ours = await plugboard('embedded', command, embedded('data'), 54_331);
  sides.push(ours, keeping(ours));
  if (MONGODB !== undefined) {
    if (before !== undefined) {
      sides.push(await plugboard('before-mongodb', before, mongodb('bench_before'), 54_334));
    }
    const theirs = await plugboard('mongodb', command, mongodb('bench'), 54_332);
    sides.push(theirs, await driverByHand(MONGODB));
  }
  sides.push(await sqlByHand(postgres));
  return sides;
}

function keeping(side: Side): Side {
  return { ...side, name: `${side.name}, answers kept`, keeps: true };
}

/** Rounds alternate between the sides, so that a noisy minute hits all of them. */
async function loaded(
  taking: readonly Side[],
  measured: Measured,
  at: number,
): Promise<(string | number)[][]> {
  const perSecond = taking.map((): number[] => []);
  const p99 = taking.map((): number[] => []);
  const processor = taking.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, side] of taking.entries()) {
      await load(side, measured, at, round === 0 ? WARM : Math.min(1, SECONDS / 2));
      const before = timeOf(side);
      const result = await load(side, measured, at, SECONDS);
      processor[index]!.push((timeOf(side) - before) / result.requests.total);
      perSecond[index]!.push(result.requests.average);
      p99[index]!.push(result.latency.p99);
    }
  }
  const bySql = perSecond.at(-1)!;
  return taking.map(({ name, processes }, index) => [
    measured.name,
    name,
    median(perSecond[index]!).toFixed(0),
    median(p99[index]!).toFixed(1),
    processes === undefined ? '-' : median(processor[index]!).toFixed(0),
    median(perSecond[index]!.map((value, round) => value / bySql[round]!)).toFixed(2),
  ]);
}

async function timed(sides: readonly Side[], measured: Measured, at: number): Promise<(string | number)[][]> {
  const taking = sides.filter((side) => side.keeps !== true);
  const times = taking.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, side] of taking.entries()) {
      const urls = pathsOf(side, measured, at).map((path) => side.url + path);
      const headers = (): Record<string, string> => ({ ...measured.headers, ...different() });
      if (round === 0) await oneByOne(urls, headers, SECONDS / 4);
      times[index]!.push((await oneByOne(urls, headers, SECONDS / 2)).time);
    }
  }
  const bySql = times.at(-1)!;
  return taking.map(({ name }, index) => [
    measured.name,
    name,
    median(times[index]!).toFixed(2),
    median(times[index]!.map((value, round) => value / bySql[round]!)).toFixed(2),
  ]);
}

function timeOf({ processes = [] }: Side): number {
  return processes.reduce((sum, pid) => sum + processorTime(pid), 0);
}

function pathsOf(side: Side, measured: Measured, at: number): string[] {
  return Array.from({ length: 200 }, (_, n) => side.path(measured, at, measured.value(n))).map(encodeURI);
}

async function load(
  side: Side,
  measured: Measured,
  at: number,
  duration: number,
): Promise<autocannon.Result> {
  const ended = new AbortController();
  const written = WRITES > 0 && side.hasDataApi === true ? writeUntil(ended.signal, side) : undefined;
  const result = await autocannon({
    url: side.url,
    connections: measured.connections,
    duration,
    requests: pathsOf(side, measured, at).map((path) => ({
      method: 'GET',
      path,
      headers: measured.headers,
      ...(side.keeps !== true && { setupRequest: unlike }),
    })),
  });
  ended.abort();
  await written;
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${side.name}, ${measured.name}: ${result.non2xx} refused, ${result.errors} errors`);
  }
  return result;
}

/** A year that nobody asks for, again and again. */
async function writeUntil(ended: AbortSignal, { url }: Side): Promise<void> {
  for (; !ended.aborted; await setTimeout(1_000 / WRITES)) {
    asked += 1;
    const body = JSON.stringify({ born: 1_800 + (asked % 50) });
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(`${url}/data/people?id=eq.1`, { method: 'PATCH', headers, body });
    if (status !== 204) throw new Error(`a write is answered ${status}`);
  }
}

/** A header that says nothing where no range is asked for. */
function unlike(request: autocannon.Request): autocannon.Request {
  return { ...request, headers: { ...request.headers, ...different() } };
}

function different(): Record<string, string> {
  asked += 1;
  return { 'range-unit': `n${asked}` };
}

/** A benchmark of different answers would be none. */
async function compare(sides: readonly Side[], measured: Measured, at: number): Promise<void> {
  const bodies: { readonly name: string; readonly body: unknown }[] = [];
  for (const side of sides) {
    const path = side.path(measured, at, measured.value(3));
    const response = await fetch(side.url + encodeURI(path), { headers: measured.headers });
    if (!response.ok) throw new Error(`${side.name} ${path}: ${response.status} ${await response.text()}`);
    const total = response.headers.get('content-range')?.split('/')[1];
    const rows: unknown = await response.json();
    bodies.push({
      name: side.name,
      body: { rows, total: measured.headers['prefer'] === undefined ? undefined : total },
    });
  }
  for (const { name, body } of bodies) {
    if (!isDeepStrictEqual(body, bodies[0]!.body)) {
      throw new Error(`${measured.name}: ${name} answers something else than ${bodies[0]!.name}`);
    }
  }
}

async function plugboard(name: string, command: string, storage: object, port: number): Promise<Side> {
  // A version before may not know the index of words.
  const text = JSON.stringify(catalog);
  const known = name.startsWith('before') ? text.replaceAll(',"search":"english"', '') : text;
  await writeFile(join(folder, `${name}.catalog.json`), known);
  const config = {
    version: 1,
    server: { host: '127.0.0.1', port },
    log: { level: 'warn' },
    providers: { storage, secrets: { keys: [SEAL_KEY] } },
    plugins: {
      dataquery: {
        catalog: `./${name}.catalog.json`,
        rows: './rows.json',
        auth: 'none',
        aggregates: true,
        // A busy machine is slow, and its times count too.
        maxTime: 120_000,
      },
    },
  };
  const file = join(folder, `${name}.yaml`);
  await writeFile(file, JSON.stringify(config));
  const started = performance.now();
  const child = spawned([command, 'run', file]);
  const url = `http://127.0.0.1:${port}`;
  await ready(`${url}/-/ready`, child);
  console.error(`${name}: loaded in ${Math.round(performance.now() - started)} ms`);
  return {
    name: `data API, ${name}`,
    url,
    path: (measured, _at, value) => `/data${measured.path(value)}`,
    hasDataApi: true,
    processes: name.includes('mongodb') ? undefined : [child.pid!],
  };
}

async function sqlByHand(database: Postgres): Promise<Side> {
  const child = spawned([join(import.meta.dirname, 'peer.js'), database.url]);
  return {
    name: 'SQL by hand',
    url: await announced(child),
    path: (_measured, at, value) => `/${at}/${value}`,
    processes: [child.pid!, database.pid],
  };
}

async function driverByHand(url: string): Promise<Side> {
  const child = spawned([join(import.meta.dirname, 'peer-mongodb.js'), url]);
  return {
    name: 'MongoDB driver by hand',
    url: await announced(child),
    path: (_measured, at, value) => `/${at}/${value}`,
    processes: undefined,
  };
}

function announced(child: ChildProcess): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    child.stdout!.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once('exit', (code) => reject(new Error(`the peer exited with ${code}`)));
  });
}

function spawned(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 1_200; attempt += 1) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok === true) break;
    if (child.exitCode !== null) throw new Error(`the server exited with ${child.exitCode}`);
    if (attempt === 1_199) throw new Error(`${url} does not answer`);
    await setTimeout(250);
  }
}

async function writeRows(file: string): Promise<void> {
  const relations = { people: people(), films: films(), roles: roles() };
  const text = function* (): Generator<string> {
    let before = '{';
    for (const [name, rows] of Object.entries(relations)) {
      yield `${before}"public.${name}":[`;
      let comma = '';
      for (const row of rows) {
        yield comma + JSON.stringify(row);
        comma = ',';
      }
      yield ']';
      before = ',';
    }
    yield '}';
  };
  await pipeline(Readable.from(text()), createWriteStream(file));
}
