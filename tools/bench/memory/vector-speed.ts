/**
 * Exact search of the 20 nearest by cosine: the vector index beside usearch's exact search and plain JavaScript,
 * in alternating rounds of one run. `npm run memory:vectors` in tools/bench.
 */
import { createRequire } from 'node:module';
import { machine, median, table } from '../table.js';
import { attributes, clock, VectorIndex } from './engines.js';
import { bell, uniform } from './random.js';

const ROUNDS = 15;
const WARM_UP = 5;
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
  readonly search: (query: Float32Array) => number[] | Promise<number[]>;
  readonly milliseconds: number[];
  found: number;
}

console.log(`${machine()}; medians of ${ROUNDS} alternating rounds, one query each\n`);
for (const [rows, dimensions] of [
  [10_000, 384],
  [10_000, 768],
  [100_000, 384],
  [100_000, 768],
] as const) {
  await compare(rows, dimensions);
}

async function compare(rows: number, dimensions: number): Promise<void> {
  const random = uniform(rows + dimensions);
  const vectors = clustered(rows, dimensions, random);
  const inline = new VectorIndex({ model: 'm', dimensions, clock, inlineFloats: Infinity });
  const threaded = new VectorIndex({ model: 'm', dimensions, clock, inlineFloats: 0 });
  const insert = fill(inline, rows, (row) => vectors.subarray(row * dimensions, (row + 1) * dimensions));
  const bytes = new Uint8Array(vectors.buffer);
  const warm = fill(threaded, rows, (row) =>
    bytes.subarray(row * dimensions * 4, (row + 1) * dimensions * 4),
  );
  const ask = async (index: typeof inline, query: Float32Array): Promise<number[]> =>
    (await index.search(query, { owner: 'bench', limit: WANTED })).map((hit) => Number(hit.id));
  const methods: Method[] = [
    method('plain JavaScript', (query) => plain(vectors, query, dimensions)),
    method('float32, in the event loop', (query) => ask(inline, query)),
    method('int8 and rescoring, in the worker', (query) => ask(threaded, query)),
    method('usearch exact, 1 thread', (query) =>
      Array.from(exactSearch(vectors, query, dimensions, WANTED, MetricKind.Cos, 1).keys, Number),
    ),
  ];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const query = near(vectors, Math.floor(random() * rows), dimensions, random);
    const right = new Set(plain(vectors, query, dimensions));
    for (const each of methods) {
      const began = performance.now();
      const found = await each.search(query);
      if (round < 0) continue;
      each.milliseconds.push(performance.now() - began);
      each.found += found.filter((row) => right.has(row)).length;
    }
  }
  const base = median(methods[0]!.milliseconds);
  console.log(`### ${rows.toLocaleString('en')} x ${dimensions}\n`);
  console.log(
    table(
      ['method', 'ms', 'times plain JavaScript', `recall@${WANTED}`],
      methods.map(({ name, milliseconds, found }) => [
        name,
        median(milliseconds).toFixed(2),
        (base / median(milliseconds)).toFixed(1),
        (found / ROUNDS / WANTED).toFixed(3),
      ]),
    ),
  );
  const { bytesPerEntry } = threaded.stats();
  console.log(
    `\nInsert ${insert.toFixed(2)} us, warm start from stored bytes ${warm.toFixed(2)} us an entry; ` +
      `${((bytesPerEntry * 100_000) / 1e6).toFixed(0)} MB per 100,000 entries.\n`,
  );
  await Promise.all([inline.close(), threaded.close()]);
}

function method(name: string, search: Method['search']): Method {
  return { name, search, milliseconds: [], found: 0 };
}

/** Microseconds an entry. */
function fill(
  index: InstanceType<typeof VectorIndex>,
  rows: number,
  vector: (row: number) => Float32Array | Uint8Array,
): number {
  const given = attributes();
  const began = performance.now();
  for (let row = 0; row < rows; row++) index.upsert(String(row), given, vector(row));
  return ((performance.now() - began) / rows) * 1000;
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
