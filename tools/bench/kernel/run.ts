/**
 * Plugboard beside bare Fastify: requests a second, p99 and processor time a request, and cold starts to the first
 * answer. `npm run kernel` in tools/bench.
 */
import { join } from 'node:path';
import { bursts, ratio } from '../bursts.js';
import { comparison } from '../comparison.js';
import { startPeer, type Measured } from '../measured.js';
import { median } from '../table.js';

const STARTS = Number(process.env['BENCH_STARTS'] ?? 5);
const PATHS = {
  plugboard: ['plugboard.js'],
  fastify: ['bare.js'],
  packages: ['bare.js', 'packages'],
} as const;
type Subject = keyof typeof PATHS;

const body = JSON.stringify({ name: 'a thing', count: 3, tags: ['red', 'round'] });
const headers = { 'content-type': 'application/json', authorization: 'Bearer a-key' };
const request = Buffer.from(
  `POST /items HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${body.length}\r\n` +
    `${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n${body}`,
);

const starts: Record<Subject, number[]> = { plugboard: [], fastify: [], packages: [] };
for (let round = 0; round < STARTS; round += 1)
  for (const subject of ['plugboard', 'fastify', 'packages'] as const) {
    const began = performance.now();
    const server = await start(subject);
    const answer = await fetch(`http://127.0.0.1:${server.port}/items`, { method: 'POST', headers, body });
    if (answer.status !== 200) throw new Error(`${subject}: ${answer.status} ${await answer.text()}`);
    starts[subject].push(performance.now() - began);
    await server.stop();
  }

const [ours, theirs] = [await start('plugboard'), await start('fastify')];
const side = (name: string, server: Measured) => ({ name, server, request, status: 200 });
const options = { turns: Number(process.env['BENCH_TURNS'] ?? 20), seconds: 1, connections: 32 };
const figures = await bursts([side('Plugboard', ours), side('bare Fastify', theirs)], options);
const coldStart = (name: string, peer: Subject): string[] => [
  name,
  median(starts.plugboard).toFixed(0),
  median(starts[peer]).toFixed(0),
  ratio(starts.plugboard, starts[peer]),
];
console.log(
  comparison(figures, options, [
    coldStart('cold start to first answer, ms: same packages', 'packages'),
    coldStart('the same: Fastify alone', 'fastify'),
  ]),
);
await Promise.all([ours.stop(), theirs.stop()]);

function start(subject: Subject): Promise<Measured> {
  const [script, ...args] = PATHS[subject];
  return startPeer(join(import.meta.dirname, script), args);
}
