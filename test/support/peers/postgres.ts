/** A PostgreSQL server of a test, by its own programs: there is no driver among the packages. */
import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

/** The folder of `postgres`, of version 15 or later; undefined without one. `PLUGBOARD_TEST_POSTGRES` names another. */
export function postgresFolder(): string | undefined {
  const given = process.env['PLUGBOARD_TEST_POSTGRES'];
  if (given !== undefined) return given;
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number) : [];
  const version = Math.max(0, ...versions.filter((one) => one >= 15));
  return version === 0 ? undefined : join(DEBIAN, String(version), 'bin');
}

export const postgresMissing: string | false =
  postgresFolder() === undefined ? 'skipped: no PostgreSQL 15; set PLUGBOARD_TEST_POSTGRES' : false;

/** It does not run as root. */
function owner(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export class Postgres {
  readonly #folder: string;
  readonly #server: ChildProcessWithoutNullStreams;
  readonly #psql: ChildProcessWithoutNullStreams;
  #output = '';
  #answered: (() => void) | undefined;

  private constructor(
    folder: string,
    server: ChildProcessWithoutNullStreams,
    psql: ChildProcessWithoutNullStreams,
  ) {
    this.#folder = folder;
    this.#server = server;
    this.#psql = psql;
    psql.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
      if (this.#output.endsWith(`${END}\n`)) this.#answered?.();
    });
  }

  static async start(): Promise<Postgres> {
    const bin = postgresFolder() ?? '';
    const as = owner();
    // Folders of the run are for its own user.
    const folder = mkdtempSync(join(as.uid === undefined ? tmpdir() : '/tmp', 'plugboard-pg-'));
    if (as.uid !== undefined) chownSync(folder, as.uid, as.gid ?? as.uid);
    const data = join(folder, 'data');
    const options = { ...as, cwd: folder };
    execFileSync(
      join(bin, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'],
      options,
    );
    const flags = ['-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'full_page_writes=off'];
    const server = spawn(join(bin, 'postgres'), ['-D', data, '-k', folder, ...flags], options);
    // Each refused statement is logged: a pipe that nobody reads would fill up and stop the server.
    server.stderr.resume();
    while (!isReady(bin, folder)) await new Promise((resolve) => setTimeout(resolve, 100));
    const psql = `${join(bin, 'psql')} -h ${folder} -U postgres -X -q -A -t -v VERBOSITY=verbose postgres 2>&1`;
    return new Postgres(folder, server, spawn('sh', ['-c', psql], { cwd: folder }));
  }

  /** What psql prints for the statements: rows, and errors with their codes. */
  async run(sql: string): Promise<string> {
    this.#output = '';
    const answered = new Promise<void>((resolve) => (this.#answered = resolve));
    this.#psql.stdin.write(`${sql}\n\\echo ${END}\n`);
    await answered;
    return this.#output.slice(0, -END.length - 1).trim();
  }

  /** What pg_dump prints of the schema. */
  dump(): string {
    const program = join(postgresFolder() ?? '', 'pg_dump');
    const flags = ['-h', this.#folder, '-U', 'postgres', '--schema-only', 'postgres'];
    return execFileSync(program, flags, { encoding: 'utf8', cwd: this.#folder });
  }

  async stop(): Promise<void> {
    this.#psql.stdin.end('\\q\n');
    const ended = new Promise((resolve) => this.#server.once('exit', resolve));
    this.#server.kill('SIGINT');
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const END = '-- end of the answer --';

function isReady(bin: string, folder: string): boolean {
  try {
    execFileSync(join(bin, 'pg_isready'), ['-h', folder, '-q']);
    return true;
  } catch {
    return false;
  }
}
