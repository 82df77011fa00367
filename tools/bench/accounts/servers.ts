/** The servers that are measured, as processes of their own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { request } from 'undici';

export interface Server {
  readonly url: string;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** The same in every run: a store that is kept knows it. */
export const key = `pb_${'bench'.repeat(6)}00`;

export const root = resolve(process.env['PLUGBOARD_ROOT'] ?? join(import.meta.dirname, '../../../..'));

/** `PROFILE` names a folder for a profile of each server. */
const PROFILE = process.env['PROFILE'];

const START_WITHIN = 300_000;

export async function plugboard(folder: string, name: string, storage: object): Promise<Server> {
  const config = {
    version: 1,
    server: { port: 0, pressure: { eventLoopDelay: 0 } },
    providers: { storage, auth: { use: 'local', firstKey: key }, secrets: { keys: ['0'.repeat(64)] } },
    plugins: { accounts: { limits: { concurrency: 1_000, creations: 1_000 } } },
  };
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify(config));
  const profiling = PROFILE === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', PROFILE];
  const child = spawn(process.execPath, [...profiling, join(root, 'dist/tools/plugboard.js'), 'run', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  const url = await eventually(() => Promise.resolve(/http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]));
  return { url, process: child, stop: () => stopped(child) };
}

/** Knows no accounts v2 and keeps nothing: its accounts of the first version stand in. */
export async function stripeMock(program: string): Promise<Server> {
  const url = 'http://127.0.0.1:12911';
  const child = spawn(program, ['-http-port', '12911'], { stdio: 'ignore' });
  await eventually(() =>
    request(url).then(
      async ({ body }) => {
        await body.dump();
        return true;
      },
      () => undefined,
    ),
  );
  return { url, process: child, stop: () => stopped(child) };
}

async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let waited = 0; waited < START_WITHIN; waited += 50) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await setTimeout(50);
  }
  throw new Error('a server did not start within five minutes');
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await exit;
}
