/**
 * The data API beside the same JSON made by SQL in PostgreSQL, over HTTP, in alternating rounds of one run.
 * `npm run dataquery` in tools/bench; MongoDB too where `MONGODB_URI` names one.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
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
import { startPostgres, type Postgres } from './postgres.js';
import { processorTime } from './processor-time.js';
import { requests, type Measured } from './requests.js';

const ROUNDS = 3;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 4);
const CONNECTIONS = 16;

interface Side {
  readonly name: string;
  readonly url: string;
  path(measured: Measured, at: number, value: number): string;
  /** The processes that answer; undefined where the database is not one of ours. */
  readonly processes: readonly number[] | undefined;
}

const children: ChildProcess[] = [];
const folder = await mkdtemp(join(tmpdir(), 'bench-dataquery-'));
const postgres = await startPostgres(Number(process.env['BENCH_POSTGRES_PORT'] ?? 54_329));
try {
  await writeFile(join(folder, 'catalog.json'), JSON.stringify(catalog));
  await writeRows(join(folder, 'rows.json'));
  const sides = [
    await plugboard('embedded', { use: 'embedded', path: join(folder, 'data') }, 54_331),
    ...(process.env['MONGODB_URI'] === undefined
      ? []
      : [
          await plugboard(
            'mongodb',
            { use: 'mongodb', url: process.env['MONGODB_URI'], database: 'bench' },
            54_332,
          ),
        ]),
    await byHand(postgres),
  ];
  for (const [at, measured] of requests.entries()) await compare(sides, measured, at);
  console.log(
    `${machine()}; ${ROUNDS} alternating rounds of ${SECONDS} s, ${CONNECTIONS} connections; medians\n`,
  );
  const rows: (string | number)[][] = [];
  for (const [at, measured] of requests.entries()) rows.push(...(await measure(sides, measured, at)));
  console.log(
    table(['request', 'side', 'requests/s', 'p99, ms', 'processor, us/request', 'ratio to SQL'], rows),
  );
} finally {
  for (const child of children) child.kill('SIGKILL');
  await postgres.stop();
  await rm(folder, { recursive: true });
}

/** Rounds alternate between the sides, so that a noisy minute hits all of them. */
async function measure(
  sides: readonly Side[],
  measured: Measured,
  at: number,
): Promise<(string | number)[][]> {
  const perSecond = sides.map((): number[] => []);
  const p99 = sides.map((): number[] => []);
  const processor = sides.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, side] of sides.entries()) {
      await load(side, measured, at, 1);
      const before = timeOf(side);
      const result = await load(side, measured, at, SECONDS);
      processor[index]!.push((timeOf(side) - before) / result.requests.total);
      perSecond[index]!.push(result.requests.average);
      p99[index]!.push(result.latency.p99);
    }
  }
  const bySql = perSecond.at(-1)!;
  return sides.map(({ name, processes }, index) => [
    measured.name,
    name,
    median(perSecond[index]!).toFixed(0),
    median(p99[index]!).toFixed(1),
    processes === undefined ? '-' : median(processor[index]!).toFixed(0),
    median(perSecond[index]!.map((value, round) => value / bySql[round]!)).toFixed(2),
  ]);
}

function timeOf({ processes = [] }: Side): number {
  return processes.reduce((sum, pid) => sum + processorTime(pid), 0);
}

async function load(
  side: Side,
  measured: Measured,
  at: number,
  duration: number,
): Promise<autocannon.Result> {
  const paths = Array.from({ length: 200 }, (_, n) => side.path(measured, at, measured.value(n)));
  const result = await autocannon({
    url: side.url,
    connections: CONNECTIONS,
    duration,
    requests: paths.map((path) => ({ method: 'GET', path, headers: measured.headers })),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${side.name}, ${measured.name}: ${result.non2xx} refused, ${result.errors} errors`);
  }
  return result;
}

/** A benchmark of different answers would be none. */
async function compare(sides: readonly Side[], measured: Measured, at: number): Promise<void> {
  const bodies = await Promise.all(
    sides.map(async (side) => {
      const path = side.path(measured, at, measured.value(3));
      const response = await fetch(side.url + path, { headers: measured.headers });
      if (!response.ok) throw new Error(`${side.name} ${path}: ${response.status} ${await response.text()}`);
      const total = response.headers.get('content-range')?.split('/')[1];
      return {
        rows: await response.json(),
        total: measured.headers['prefer'] === undefined ? undefined : total,
      };
    }),
  );
  for (const [index, body] of bodies.entries()) {
    if (!isDeepStrictEqual(body, bodies[0])) {
      throw new Error(`${measured.name}: ${sides[index]!.name} answers something else`);
    }
  }
}

async function plugboard(name: string, storage: object, port: number): Promise<Side> {
  const config = {
    version: 1,
    server: { host: '127.0.0.1', port },
    log: { level: 'warn' },
    // A store that is shared asks for a key of its own.
    providers: { storage, auth: { sealKeys: [randomBytes(32).toString('base64')] } },
    plugins: {
      dataquery: { catalog: './catalog.json', rows: './rows.json', auth: 'none', aggregates: true },
    },
  };
  const file = join(folder, `${name}.yaml`);
  await writeFile(file, JSON.stringify(config));
  const command = join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'tools', 'plugboard.js');
  const child = start([process.env['BENCH_PLUGBOARD'] ?? command, 'run', file]);
  const url = `http://127.0.0.1:${port}`;
  await ready(`${url}/-/ready`, child);
  return {
    name: `data API, ${name}`,
    url,
    path: (measured, _at, value) => `/data${measured.path(value)}`,
    processes: name === 'embedded' ? [child.pid!] : undefined,
  };
}

async function byHand(database: Postgres): Promise<Side> {
  const child = start([join(import.meta.dirname, 'peer.js'), database.url]);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout!.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once('exit', (code) => reject(new Error(`the peer exited with ${code}`)));
  });
  return {
    name: 'SQL by hand',
    url,
    path: (_measured, at, value) => `/${at}/${value}`,
    processes: [child.pid!, database.pid],
  };
}

function start(args: readonly string[]): ChildProcess {
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
