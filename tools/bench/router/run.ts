/**
 * The router beside a direct call, a bare proxy and Portkey's gateway, to the same upstream, in alternating rounds of
 * one run. `npm run router` in tools/bench; `ROUNDS` sets how many.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { machine, median, table } from '../table.js';
import { loadCalls, loadStreams } from './load.js';
import { withPeers, type Peer } from './peers.js';

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const SECONDS = 4;
/** Milliseconds: some ten thousand calls, after which the engine has compiled what a server runs for days. */
const WARM_UP = 10_000;
const CONCURRENCY = 32;
const STREAMS = { streams: 50, pieces: 100, interval: 20 };
const MANY = { streams: 1_000, pieces: 150, interval: 200 };
const MANY_COLUMNS = [
  '',
  'whole streams',
  'MiB after 20 %',
  'at the end',
  'highest',
  'chunk p50, ms',
  'chunk p99, ms',
  'processor',
];

const PROXIES = ['bare proxy', 'Plugboard', 'Portkey'];

interface Figures {
  /** Calls a second, and the server's processor time for each, in microseconds. */
  readonly rate: number[];
  readonly cpu: number[];
  /** Milliseconds of a call under load. */
  readonly p50: number[];
  readonly p99: number[];
  /** Milliseconds of a call when there is only one at a time. */
  readonly alone50: number[];
  readonly alone99: number[];
  /** Microseconds of a chunk on its way, and the server's processor time for it. */
  readonly chunk50: number[];
  readonly chunk99: number[];
  readonly chunkCpu: number[];
}

await withPeers(async (peers) => {
  const results = new Map(peers.map((peer) => [peer.name, noFigures()]));
  for (const peer of peers) {
    await loadCalls(peer, CONCURRENCY, WARM_UP);
    await loadStreams(peer, 20, 50, 10);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    // The order alternates, so that a machine that slows down favours none.
    for (const peer of round % 2 === 0 ? peers : peers.toReversed()) {
      await measure(peer, results.get(peer.name) ?? noFigures());
    }
  }
  report(results);
  console.log(
    `\n${MANY.streams} streams at once, a chunk each ${MANY.interval} ms, ${(MANY.pieces * MANY.interval) / 1_000} s\n`,
  );
  const rows: (string | number)[][] = [];
  try {
    for (const peer of peers) rows.push(await manyStreams(peer));
  } finally {
    // What is measured is shown, also when a peer fails after it.
    console.log(table(MANY_COLUMNS, rows));
  }
});

async function measure(peer: Peer, figures: Figures): Promise<void> {
  const alone = await loadCalls(peer, 1, 1_500);
  figures.alone50.push(percentile(alone.times, 50));
  figures.alone99.push(percentile(alone.times, 99));

  const before = await cpuOf(peer);
  const { times, perSecond } = await loadCalls(peer, CONCURRENCY, SECONDS * 1_000);
  figures.cpu.push(((await cpuOf(peer)) - before) / times.length);
  figures.rate.push(perSecond);
  figures.p50.push(percentile(times, 50));
  figures.p99.push(percentile(times, 99));

  const beforeStreams = await cpuOf(peer);
  const { delays, whole, failures } = await loadStreams(
    peer,
    STREAMS.streams,
    STREAMS.pieces,
    STREAMS.interval,
  );
  if (whole < STREAMS.streams) {
    throw new Error(`${peer.name}: ${whole} of ${STREAMS.streams} streams ended: ${failures.join(', ')}`);
  }
  figures.chunkCpu.push(((await cpuOf(peer)) - beforeStreams) / delays.length);
  figures.chunk50.push(percentile(delays, 50));
  figures.chunk99.push(percentile(delays, 99));
}

/** Memory and delays with many streams at once. */
async function manyStreams(peer: Peer): Promise<(string | number)[]> {
  const { streams, pieces, interval } = MANY;
  const length = pieces * interval;
  const samples: number[] = [];
  const sampling = new AbortController();
  const cpuBefore = await cpuOf(peer);
  const sample = async (): Promise<void> => {
    while (!sampling.signal.aborted) {
      samples.push((await peer.gauge()).rss);
      await sleep(length / 60);
    }
  };
  const sampled = sample();
  const began = performance.now();
  const { delays, whole, failures } = await loadStreams(peer, streams, pieces, interval);
  if (failures.length > 0)
    console.error(`${peer.name}: ${streams - whole} streams failed: ${failures.join(', ')}`);
  const share = ((await cpuOf(peer)) - cpuBefore) / 1_000 / (performance.now() - began);
  sampling.abort();
  await sampled;
  const at = (part: number): string => (samples[Math.floor((samples.length - 1) * part)] ?? NaN).toFixed(0);
  return [
    peer.name,
    whole,
    at(0.2),
    at(1),
    Math.max(...samples).toFixed(0),
    (percentile(delays, 50) / 1_000).toFixed(1),
    (percentile(delays, 99) / 1_000).toFixed(1),
    `${(share * 100).toFixed(0)} %`,
  ];
}

function report(results: ReadonlyMap<string, Figures>): void {
  const figures = (name: string): Figures => results.get(name) ?? noFigures();
  const row = (label: string, key: keyof Figures, digits: number): (string | number)[] => [
    label,
    ...Array.from(results.values(), (of) => median(of[key]).toFixed(digits)),
    ratio(figures('Plugboard')[key], figures('bare proxy')[key]),
    ratio(figures('Plugboard')[key], figures('Portkey')[key]),
  ];
  const over = (label: string, key: keyof Figures, digits: number): (string | number)[] => {
    const above = (name: string): number[] =>
      figures(name)[key].map((value, round) => value - (figures('direct')[key][round] ?? NaN));
    return [
      label,
      '',
      ...PROXIES.map((name) => median(above(name)).toFixed(digits)),
      ratio(above('Plugboard'), above('bare proxy')),
      ratio(above('Plugboard'), above('Portkey')),
    ];
  };
  console.log(
    `${machine()}; medians of ${ROUNDS} alternating rounds, ratios of the same round; ${CONCURRENCY} calls at a time for ${SECONDS} s, ${STREAMS.streams} streams of ${STREAMS.pieces} chunks\n`,
  );
  console.log(
    table(
      ['', ...results.keys(), 'Plugboard / bare proxy', 'Plugboard / Portkey'],
      [
        row('calls/s', 'rate', 0),
        row('call p50, ms', 'p50', 2),
        row('call p99, ms', 'p99', 2),
        row("server's processor time per call, us", 'cpu', 0),
        row('one call at a time, p50, ms', 'alone50', 2),
        row('one call at a time, p99, ms', 'alone99', 2),
        over('overhead per call, p50, ms', 'alone50', 2),
        row('chunk p50, us', 'chunk50', 0),
        row('chunk p99, us', 'chunk99', 0),
        over('overhead per chunk, p50, us', 'chunk50', 0),
        row("server's processor time per chunk, us", 'chunkCpu', 0),
      ],
    ),
  );
}

async function cpuOf(peer: Peer): Promise<number> {
  return (await peer.gauge()).cpu;
}

function ratio(ours: readonly number[], theirs: readonly number[]): string {
  return median(ours.map((value, round) => value / (theirs[round] ?? NaN))).toFixed(2);
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? NaN;
}

function noFigures(): Figures {
  return {
    rate: [],
    cpu: [],
    p50: [],
    p99: [],
    alone50: [],
    alone99: [],
    chunk50: [],
    chunk99: [],
    chunkCpu: [],
  };
}
