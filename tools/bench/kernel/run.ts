/**
 * Requests per second, p99 and cold start of Plugboard beside bare Fastify, in alternating rounds of one run.
 * `npm run kernel` in tools/bench.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { machine, median, table } from '../table.js';

const ROUNDS = 5;
const SECONDS = 4;
const server = join(import.meta.dirname, 'servers.js');
const request = {
  method: 'POST' as const,
  headers: { 'content-type': 'application/json', authorization: 'Bearer a-key' },
  body: JSON.stringify({ name: 'a thing', count: 3, tags: ['red', 'round'] }),
};

interface Figures {
  readonly perSecond: number[];
  readonly p99: number[];
  readonly start: number[];
}

const results: Record<'plugboard' | 'fastify', Figures> = {
  plugboard: { perSecond: [], p99: [], start: [] },
  fastify: { perSecond: [], p99: [], start: [] },
};

for (let round = 0; round < ROUNDS; round += 1) {
  for (const name of ['plugboard', 'fastify'] as const) {
    const began = performance.now();
    const { child, url } = await start(name);
    const first = await fetch(`${url}/items`, request);
    if (first.status !== 200) throw new Error(`${name}: ${first.status} ${await first.text()}`);
    results[name].start.push(performance.now() - began);
    await autocannon({ url: `${url}/items`, ...request, connections: 32, duration: 1 });
    const load = await autocannon({ url: `${url}/items`, ...request, connections: 32, duration: SECONDS });
    if (load.non2xx > 0 || load.errors > 0)
      throw new Error(`${name}: ${load.non2xx} refused, ${load.errors} errors`);
    results[name].perSecond.push(load.requests.average);
    results[name].p99.push(load.latency.p99);
    child.kill('SIGKILL');
  }
}

const ratio = (key: keyof Figures): string =>
  median(results.plugboard[key].map((value, round) => value / (results.fastify[key][round] ?? NaN))).toFixed(
    2,
  );
const figure = (name: keyof typeof results, key: keyof Figures): string =>
  median(results[name][key]).toFixed(0);

console.log(`${machine()}; ${ROUNDS} alternating rounds of ${SECONDS} s, 32 connections; medians\n`);
console.log(
  table(
    ['', 'Plugboard', 'bare Fastify', 'ratio'],
    [
      ['requests/s', figure('plugboard', 'perSecond'), figure('fastify', 'perSecond'), ratio('perSecond')],
      ['p99, ms', figure('plugboard', 'p99'), figure('fastify', 'p99'), ratio('p99')],
      [
        'cold start to first answer, ms',
        figure('plugboard', 'start'),
        figure('fastify', 'start'),
        ratio('start'),
      ],
    ],
  ),
);

function start(name: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [server, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve({ child, url: chunk.toString().trim() }));
    child.once('exit', (code) => reject(new Error(`${name} exited with ${code}`)));
  });
}
