/**
 * Plugboard beside bare Fastify: cold start to the first answer, then requests a second, p99 and processor time
 * a request, in alternating bursts of one run. `npm run kernel` in tools/bench.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { machine, median, table } from '../table.js';

const ROUNDS = 5;
/** One second each. */
const BURSTS = 4;

const request = {
  method: 'POST' as const,
  headers: { 'content-type': 'application/json', authorization: 'Bearer a-key' },
  body: JSON.stringify({ name: 'a thing', count: 3, tags: ['red', 'round'] }),
};

const sides = {
  plugboard: { script: 'plugboard.js', args: [] },
  packages: { script: 'bare.js', args: ['packages'] },
  fastify: { script: 'bare.js', args: [] },
} as const;
type Side = keyof typeof sides;

const starts: Record<Side, number[]> = { plugboard: [], packages: [], fastify: [] };
const loaded = ['plugboard', 'fastify'] as const;
const loads = { plugboard: figures(), fastify: figures() };

for (let round = 0; round < ROUNDS; round += 1) {
  const running = new Map<Side, Server>();
  for (const side of inTurn(['plugboard', 'packages', 'fastify'] as const, round)) {
    const began = performance.now();
    const server = await start(side);
    const first = await fetch(`${server.url}/items`, request);
    if (first.status !== 200) throw new Error(`${side}: ${first.status} ${await first.text()}`);
    starts[side].push(performance.now() - began);
    running.set(side, server);
  }
  for (const side of loaded) await burst(side, running);
  for (let turn = 0; turn < BURSTS; turn += 1) {
    for (const side of inTurn(loaded, turn)) {
      const { perSecond, p99, perRequest } = await burst(side, running);
      loads[side].perSecond.push(perSecond);
      loads[side].p99.push(p99);
      loads[side].perRequest.push(perRequest);
    }
  }
  for (const { child } of running.values()) child.kill('SIGKILL');
}

const load = (name: string, key: keyof Figures, digits = 0): string[] => [
  name,
  median(loads.plugboard[key]).toFixed(digits),
  median(loads.fastify[key]).toFixed(digits),
  ratio(loads.plugboard[key], loads.fastify[key]),
];
const coldStart = (name: string, peer: Side): string[] => [
  name,
  median(starts.plugboard).toFixed(0),
  median(starts[peer]).toFixed(0),
  ratio(starts.plugboard, starts[peer]),
];

console.log(
  `${machine()}; ${ROUNDS} rounds, in each ${BURSTS} alternating bursts of 1 s, 32 connections; medians\n`,
);
console.log(
  table(
    ['', 'Plugboard', 'bare Fastify', 'ratio'],
    [
      load('requests/s', 'perSecond'),
      load('processor time a request, us', 'perRequest', 1),
      load('p99, ms', 'p99'),
      coldStart('cold start to first answer, ms: same packages', 'packages'),
      coldStart('the same: Fastify alone', 'fastify'),
    ],
  ),
);

interface Figures {
  readonly perSecond: number[];
  readonly p99: number[];
  readonly perRequest: number[];
}

function figures(): Figures {
  return { perSecond: [], p99: [], perRequest: [] };
}

interface Server {
  readonly child: ChildProcess;
  readonly url: string;
}

async function start(side: Side): Promise<Server> {
  const { script, args } = sides[side];
  const child = fork(join(import.meta.dirname, script), args);
  return { child, url: String(await message(child)) };
}

async function burst(side: Side, running: ReadonlyMap<Side, Server>) {
  const server = running.get(side);
  if (server === undefined) throw new Error(`${side} is not running`);
  const before = await computed(server);
  const done = await autocannon({ url: `${server.url}/items`, ...request, connections: 32, duration: 1 });
  if (done.non2xx > 0 || done.errors > 0)
    throw new Error(`${side}: ${done.non2xx} refused, ${done.errors} errors`);
  const perRequest = ((await computed(server)) - before) / done.requests.total;
  return { perSecond: done.requests.average, p99: done.latency.p99, perRequest };
}

async function computed({ child }: Server): Promise<number> {
  child.send('processor time?');
  return Number(await message(child));
}

async function message(child: ChildProcess): Promise<unknown> {
  const [value] = (await once(child, 'message')) as unknown[];
  return value;
}

/** The same order backwards every other time: what comes first may find the machine warmer or colder. */
function inTurn<T>(order: readonly T[], turn: number): readonly T[] {
  return turn % 2 === 0 ? order : order.toReversed();
}

/** Of the pairs that were measured next to each other. */
function ratio(ours: readonly number[], theirs: readonly number[]): string {
  return median(ours.map((value, at) => value / (theirs[at] ?? NaN))).toFixed(2);
}
