/** A PostgreSQL of its own in a temporary folder: Debian's package, as it is configured by default. */
import { execFile, spawn } from 'node:child_process';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { films, people, roles, schema, scores } from './cinema.js';

const run = promisify(execFile);

export interface Postgres {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export async function startPostgres(port: number): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-postgres-'));
  const binaries = await findBinaries();
  const owner = await ownerOf();
  if (owner !== undefined) await chown(folder, owner.uid, owner.gid);
  const cluster = join(folder, 'cluster');
  await run(join(binaries, 'initdb'), ['-D', cluster, '-U', 'bench', '-A', 'trust'], { ...owner });
  const args = ['-D', cluster, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-k', folder];
  const child = spawn(join(binaries, 'postgres'), args, { ...owner, stdio: 'ignore' });
  const url = `postgres://bench@127.0.0.1:${port}/postgres`;
  const stop = async (): Promise<void> => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    await gone;
    await rm(folder, { recursive: true });
  };
  try {
    await load(await connect(url));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, pid: child.pid!, stop };
}

async function findBinaries(): Promise<string> {
  const [version] = (await readdir('/usr/lib/postgresql')).sort().reverse();
  if (version === undefined) throw new Error('no PostgreSQL: apt-get install postgresql');
  return join('/usr/lib/postgresql', version, 'bin');
}

/** It refuses to run as root; Debian's package makes the user `postgres`. */
async function ownerOf(): Promise<{ uid: number; gid: number } | undefined> {
  if (userInfo().uid !== 0) return undefined;
  const id = async (flag: string): Promise<number> => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

async function connect(url: string): Promise<pg.Client> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new pg.Client(url);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function load(client: pg.Client): Promise<void> {
  await client.query(schema);
  const tables = { people: people(), films: films(), roles: [...roles()], scores: scores() };
  for (const [table, rows] of Object.entries(tables)) {
    const insert = `insert into ${table} select * from json_populate_recordset(null::${table}, $1)`;
    await client.query(insert, [JSON.stringify(rows)]);
  }
  await client.query('vacuum analyze');
  await client.end();
}
