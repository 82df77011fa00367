/**
 * The start of a server with every plugin, to its first answer, beside bare Fastify with one route: wall time and
 * the processor time of the process, in alternating rounds of one run. `npm run kernel:start` in tools/bench.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { machine, median, table } from '../table.js';

const ROUNDS = 5;
/** Milliseconds of one tick of the clock of Linux. */
const TICK = 10;

const root = resolve(import.meta.dirname, '../../../..');
const folder = mkdtempSync(join(tmpdir(), 'plugboard-start-'));
const everything = [join(root, 'dist/tools/plugboard.js'), 'run', join(root, 'config/default.yaml')];
const sides = {
  bare: { name: 'bare Fastify', args: [join(import.meta.dirname, 'bare-live.js')] },
  first: { name: 'every plugin, demo data is read', args: everything },
  again: { name: 'every plugin, data there', args: everything },
} as const;
type Side = keyof typeof sides;

const walls: Record<Side, number[]> = { bare: [], first: [], again: [] };
const processor: Record<Side, number[]> = { bare: [], first: [], again: [] };

for (let round = 0; round < ROUNDS; round += 1) {
  for (const side of ['bare', 'first', 'again'] as const) {
    const data = join(folder, `${side === 'again' ? 'first' : side}-${round}`);
    const port = await freePort();
    const began = performance.now();
    const env = { ...process.env, PORT: String(port), PLUGBOARD_DATA: data };
    const child = spawn(process.execPath, sides[side].args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    while (!(await answers(port))) await setTimeout(5);
    walls[side].push(performance.now() - began);
    processor[side].push(processorTime(child.pid ?? 0));
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}
rmSync(folder, { recursive: true, force: true });

const figure = (figures: Record<Side, number[]>, side: Side): string[] => [
  median(figures[side]).toFixed(0),
  (median(figures[side]) / median(figures.bare)).toFixed(1),
];
console.log(`${machine()}; ${ROUNDS} rounds; medians\n`);
console.log(
  table(
    ['to the first answer', 'ms', 'ratio', 'processor time, ms', 'ratio'],
    (['bare', 'first', 'again'] as const).map((side) => [
      sides[side].name,
      ...figure(walls, side),
      ...figure(processor, side),
    ]),
  ),
);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/-/live`)).status === 200;
  } catch {
    return false;
  }
}

/** Of Linux: user and system time of the process so far, in milliseconds. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}
