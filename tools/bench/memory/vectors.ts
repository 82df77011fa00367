/** Exact search of the 20 nearest by cosine: the vector index vs usearch's exact search and plain JavaScript. */
import { createRequire } from 'node:module';
import type { Bench } from '../context.js';
import { uniform } from '../random.js';
import { attributes, clock, VectorIndex } from './engines.js';

const WARM = 5;
const WANTED = 20;
const CLUSTERS = 200;

// usearch's ECMAScript module does not load
const { exactSearch, MetricKind } = createRequire(import.meta.url)('usearch') as {
  exactSearch(
    rows: Float32Array,
    query: Float32Array,
    dimensions: number,
    count: number,
    metric: string,
    threads: number,
  ): { keys: BigUint64Array };
  MetricKind: { Cos: string };
};

interface Method {
  readonly name: string;
  search(query: Float32Array): number[] | Promise<number[]>;
}

export default async function run(bench: Bench): Promise<void> {
  const rounds = bench.options.rounds ?? 15;
  const { documents } = bench.options;
  const sizes = documents === undefined ? [10_000, 100_000] : [documents];
  for (const rows of sizes)
    for (const dimensions of [384, 768]) await compare(bench, rows, dimensions, rounds);
}

async function compare(bench: Bench, rows: number, dimensions: number, rounds: number): Promise<void> {
  const random = uniform(rows + dimensions);
  const vectors = clustered(rows, dimensions, random);
  const inline = new VectorIndex({ model: 'm', dimensions, clock, inlineFloats: Infinity });
  const threaded = new VectorIndex({ model: 'm', dimensions, clock, inlineFloats: 0 });
  const indexes = [inline, threaded];
  for (let row = 0; row < rows; row++)
    for (const index of indexes)
      index.upsert(String(row), attributes(), vectors.subarray(row * dimensions, (row + 1) * dimensions));
  const ask = async (index: typeof inline, query: Float32Array): Promise<number[]> =>
    (await index.search(query, { owner: 'bench', limit: WANTED })).map((hit) => Number(hit.id));
  const sides: Method[] = [
    { name: 'plain JavaScript', search: (query) => plain(vectors, query, dimensions) },
    { name: 'vector index, in the event loop', search: (query) => ask(inline, query) },
    { name: 'vector index, in the worker', search: (query) => ask(threaded, query) },
    {
      name: 'usearch exact, 1 thread',
      search: (query) =>
        Array.from(exactSearch(vectors, query, dimensions, WANTED, MetricKind.Cos, 1).keys, Number),
    },
  ];
  const queries = Array.from({ length: WARM + rounds }, () =>
    near(vectors, Math.floor(random() * rows), dimensions, random),
  );
  await bench.compare({
    what: `${rows} x ${dimensions}`,
    sides,
    rounds,
    warm: WARM,
    reference: 'usearch exact, 1 thread',
    async measure({ search }, round) {
      const query = queries[round]!;
      const began = performance.now();
      const found = await search(query);
      const ms = performance.now() - began;
      const right = new Set(plain(vectors, query, dimensions));
      return { ms, [`recall@${WANTED}`]: found.filter((row) => right.has(row)).length / WANTED };
    },
  });
  for (const index of indexes) await index.close();
}

/** About normal, by the sum of four. */
function bell(random: () => number): number {
  return random() + random() + random() + random() - 2;
}

/** One row after another, of length 1, around common centres, as embeddings of one person's notes are. */
function clustered(rows: number, dimensions: number, random: () => number): Float32Array {
  const centres = Float32Array.from({ length: CLUSTERS * dimensions }, () => bell(random));
  const vectors = new Float32Array(rows * dimensions);
  for (let row = 0; row < rows; row++) {
    const centre = Math.floor(random() * CLUSTERS) * dimensions;
    const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions);
    for (let at = 0; at < dimensions; at++) vector[at] = centres[centre + at]! + 0.7 * (random() - 0.5);
    normalise(vector);
  }
  return vectors;
}

function near(vectors: Float32Array, row: number, dimensions: number, random: () => number): Float32Array {
  const query = vectors.slice(row * dimensions, (row + 1) * dimensions);
  return normalise(query.map((value) => value + (0.5 * (random() - 0.5)) / Math.sqrt(dimensions)));
}

function normalise(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  for (let at = 0; at < vector.length; at++) vector[at]! /= length;
  return vector;
}

/** What one would write at once: a loop, and a sort of what is better than the worst kept. */
function plain(vectors: Float32Array, query: Float32Array, dimensions: number): number[] {
  const best: { row: number; score: number }[] = [];
  let least = -Infinity;
  for (let row = 0, start = 0; start < vectors.length; row++, start += dimensions) {
    let score = 0;
    for (let at = 0; at < dimensions; at++) score += vectors[start + at]! * query[at]!;
    if (score <= least) continue;
    best.push({ row, score });
    best.sort((a, b) => b.score - a.score);
    if (best.length > WANTED) best.pop();
    if (best.length === WANTED) least = best[WANTED - 1]!.score;
  }
  return best.map(({ row }) => row);
}
