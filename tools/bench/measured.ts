/** Processes under measurement: Plugboard as its command line starts it, and peers. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Gauge } from './gauge.js';

export const root = resolve(process.env['PLUGBOARD_ROOT'] ?? join(import.meta.dirname, '../../..'));

export interface Measured {
  readonly child: ChildProcess;
  /** Of the address that it says it listens on. */
  readonly port: number;
  gauge(): Promise<Gauge>;
  stop(): Promise<void>;
}

/** A script of the bench that prints its URL once it listens. */
export function startPeer(script: string, args: readonly string[] = []): Promise<Measured> {
  return start([script, ...args]);
}

/** The server with this config, which is written to `file`. */
export async function startPlugboard(file: string, config: object): Promise<Measured> {
  await writeFile(file, JSON.stringify({ version: 1, ...config }));
  return start([join(root, 'dist/tools/plugboard.js'), 'run', file]);
}

/** A process that ends by itself, e.g. a command: what it took, and the most memory that it held. */
export async function runMeasured(args: readonly string[], every = 100): Promise<Run> {
  const began = performance.now();
  const child = launch(args);
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  const seen: Gauge[] = [];
  const timer = setInterval(() => {
    if (child.connected) child.send('gauge', () => undefined);
  }, every);
  child.on('message', (gauge) => seen.push(gauge as Gauge));
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(timer);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${output}`);
  return { seconds: (performance.now() - began) / 1_000, output, seen };
}

export interface Run {
  readonly seconds: number;
  readonly output: string;
  readonly seen: readonly Gauge[];
}

async function start(args: readonly string[]): Promise<Measured> {
  const child = launch(args);
  const port = await listening(child);
  return {
    child,
    port,
    async gauge() {
      child.send('gauge');
      const [gauge] = (await once(child, 'message')) as [Gauge];
      return gauge;
    },
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function launch(args: readonly string[]): ChildProcess {
  const preload = join(import.meta.dirname, 'gauge.js');
  const profile = (process.env['BENCH_NODE'] ?? '').split(' ').filter((part) => part !== '');
  const child = spawn(process.execPath, [...profile, '--import', preload, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.removeListener('exit', end));
  return child;
}

async function listening(child: ChildProcess): Promise<number> {
  let output = '';
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk);
    const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1];
    if (port === undefined) continue;
    child.stdout?.resume();
    return Number(port);
  }
  throw new Error(`it did not start: ${output}`);
}
