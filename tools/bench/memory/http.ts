/**
 * Memory as a client sees it: how fast entries are taken in with their indexing, and how long a preview takes
 * among them, over HTTP on the embedded store. Client and server share one process, so the figures hold the
 * client's work too. `npm run memory:http [ENTRIES]` in tools/bench.
 */
import { bootTest } from 'plugboard/testing';
import type * as Memory from '../../../dist/plugins/memory/index.js';
import { machine, table } from '../table.js';
import { uniform } from './random.js';

const ENTRIES = Number(process.argv[2] ?? 100_000);
const CONNECTIONS = 32;
const QUESTIONS = 300;
const WORDS = 20_000;

const { default: memory } = (await import(
  new URL('../../../../dist/plugins/memory/index.js', import.meta.url).href
)) as typeof Memory;

const random = uniform(1);
/** Words as common as in a language: a few everywhere, most seldom. */
const word = (): string => `word${Math.floor(WORDS ** random())}`;
const sentence = (length: number): string => Array.from({ length }, word).join(' ');

const server = await bootTest({ plugins: [{ plugin: memory }] });
const url = await server.listen();
const headers = { 'content-type': 'application/json', authorization: `Bearer ${await server.key('manage')}` };

async function post(path: string, body: object): Promise<void> {
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
}

let next = 0;
async function insert(): Promise<void> {
  for (let at = next++; at < ENTRIES; at = next++) {
    await post('/api/memory', {
      apiKeyId: 'bench',
      key: `k${at}`,
      content: sentence(8 + Math.floor(random() * 12)),
    });
  }
}

const began = performance.now();
await Promise.all(Array.from({ length: CONNECTIONS }, insert));
const perSecond = ENTRIES / ((performance.now() - began) / 1000);

async function latencies(strategy: string): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < QUESTIONS; at += 1) {
    const query = sentence(6);
    const asked = performance.now();
    await post('/api/memory/retrieve-preview', { query, strategy, apiKeyId: 'bench' });
    times.push(performance.now() - asked);
  }
  return times.sort((a, b) => a - b);
}

const rows: string[][] = [];
for (const strategy of ['exact', 'semantic', 'hybrid']) {
  const times = await latencies(strategy);
  const at = (share: number): string => (times[Math.ceil(times.length * share) - 1] ?? NaN).toFixed(1);
  rows.push([strategy, at(0.5), at(0.99)]);
}
await server.stop();

console.log(`${machine()}; ${ENTRIES} entries of one owner, embedded store, built-in static vectors\n`);
console.log(
  `inserts with ${CONNECTIONS} connections, indexed when answered: ${perSecond.toFixed(0)} a second\n`,
);
console.log(table(['retrieve-preview', 'p50, ms', 'p99, ms'], rows));
