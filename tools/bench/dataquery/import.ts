/**
 * `plugboard import rows` beside PostgreSQL's `\copy`: the same standard CSV export into the same table, with its keys,
 * an index and a foreign key. `npm run import` in tools/bench; `BENCH_ROWS` says how many rows (100,000), `BENCH_BEFORE`
 * names the command (dist/tools/plugboard.js) of another version, which gets a file without what it cannot read.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { machine, table } from '../table.js';
import { startPostgres } from './postgres.js';

const ROWS = Number(process.env['BENCH_ROWS'] ?? 100_000);
const MAKERS = 1_000;
const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
const file = (name: string): string => join(folder, name);

const CATALOG = {
  exposed: ['public'],
  schemas: {
    public: {
      relations: {
        makers: { columns: { id: 'integer', name: 'text' }, primaryKey: ['id'] },
        parts: {
          columns: {
            id: { type: 'integer', required: true },
            title: { type: 'text', required: true },
            year: 'integer',
            price: 'numeric',
            made: 'date',
            data: 'jsonb',
            maker_id: 'integer',
          },
          primaryKey: ['id'],
          indexes: [['year']],
          foreignKeys: {
            parts_maker: {
              columns: ['maker_id'],
              references: { relation: 'makers', columns: ['id'] },
            },
          },
        },
      },
    },
  },
};

const SQL = `create table makers (id integer primary key, name text);
  create table parts (id integer primary key, title text not null, year integer, price numeric, made date, data jsonb,
    maker_id integer references makers);
  create index on parts (year)`;

function* makers(): Generator<string> {
  yield 'id,name\n';
  for (let id = 0; id < MAKERS; id += 1) yield `${id},Maker ${id}\n`;
}

/** `plain`: without nulls and documents, which versions before could not read. */
function* parts(plain: boolean): Generator<string> {
  yield plain ? 'id,title,year,price,made,maker_id\n' : 'id,title,year,price,made,data,maker_id\n';
  for (let id = 0; id < ROWS; id += 1) {
    const made = `19${10 + (id % 90)}-0${1 + (id % 9)}-1${id % 10}`;
    const data = plain ? '' : `${id % 3 === 0 ? '' : `"{""size"": ${id % 40}, ""tags"": [1, 2]}"`},`;
    const maker = !plain && id % 7 === 0 ? '' : String(id % MAKERS);
    yield `${id},"Part, the ${id}th",${1_900 + (id % 120)},${(id % 1_000) / 10},${made},${data}${maker}\n`;
  }
}

interface Side {
  readonly name: string;
  readonly seconds: number;
  readonly processor: number;
  readonly peak: string;
}

async function plugboard(name: string, command: string, rows: string): Promise<Side> {
  const config = file(`${name}.json`);
  await writeFile(
    config,
    JSON.stringify({
      version: 1,
      log: { level: 'warn' },
      providers: { storage: { use: 'embedded', path: file(`data-${name}`) } },
      plugins: { dataquery: { catalog: './catalog.json', auth: 'none' } },
    }),
  );
  const words = ['import', 'rows', '--config', config];
  await run(process.execPath, [command, ...words, file('makers.csv')]);
  const began = performance.now();
  const child = spawn(process.execPath, [command, ...words, rows, '--relation', 'parts'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  const seen = { processor: 0, peak: 0 };
  const watch = setInterval(
    () =>
      void usage(child.pid!).then((now) => {
        // A process that is ending has no memory any more.
        seen.processor = Math.max(seen.processor, now?.processor ?? 0);
        seen.peak = Math.max(seen.peak, now?.peak ?? 0);
      }),
    100,
  );
  const [code] = (await exited) as [number];
  clearInterval(watch);
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  const seconds = (performance.now() - began) / 1_000;
  return { name, seconds, processor: seen.processor, peak: `${Math.round(seen.peak / 1_024)} MB` };
}

/** Seconds of processor time and kilobytes at the most. */
async function usage(pid: number): Promise<{ processor: number; peak: number } | undefined> {
  try {
    const stat = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ');
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const peak = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0);
    return { processor: (Number(stat[11]) + Number(stat[12])) / 100, peak };
  } catch {
    return undefined;
  }
}

async function copy(url: string): Promise<Side> {
  const psql = (command: string) => run('psql', [url, '-v', 'ON_ERROR_STOP=1', '-q', '-c', command]);
  await psql(SQL);
  await psql(`\\copy makers from '${file('makers.csv')}' csv header`);
  const began = performance.now();
  await psql(`\\copy parts from '${file('parts.csv')}' csv header`);
  const seconds = (performance.now() - began) / 1_000;
  return { name: '\\copy', seconds, processor: Number.NaN, peak: '' };
}

const postgres = await startPostgres(Number(process.env['BENCH_POSTGRES_PORT'] ?? 54_329));
try {
  await writeFile(file('catalog.json'), JSON.stringify(CATALOG));
  await pipeline(Readable.from(makers()), createWriteStream(file('makers.csv')));
  await pipeline(Readable.from(parts(false)), createWriteStream(file('parts.csv')));
  const command = join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'tools', 'plugboard.js');
  const before = process.env['BENCH_BEFORE'];
  const sides: Side[] = [];
  if (before !== undefined) {
    await pipeline(Readable.from(parts(true)), createWriteStream(file('plain.csv')));
    sides.push(await plugboard('before, a plain file', before, file('plain.csv')));
    sides.push(await plugboard('now, the plain file', command, file('plain.csv')));
  }
  sides.push(await plugboard('now', command, file('parts.csv')));
  sides.push(await copy(postgres.url));
  console.log(`${machine()}; ${ROWS} rows\n`);
  const rows = sides.map(({ name, seconds, processor, peak }) => [
    name,
    Math.round(ROWS / seconds),
    Number.isNaN(processor) ? '' : processor.toFixed(1),
    peak,
    (seconds / sides.at(-1)!.seconds).toFixed(1),
  ]);
  console.log(
    table(['side', 'rows/s, with the start', 'processor, s', 'memory at most', 'times \\copy'], rows),
  );
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true });
}
