/**
 * Built-in vectors of 100,000 texts, searched by the vector index and by plain JavaScript: whether comparing their sketches
 * first loses hits. `npm run memory:sketches` in tools/bench.
 */
import { median, machine, table } from '../table.js';
import { conversationSets } from './conversation.js';
import { attributes, BuiltInEmbedder, clock, KeywordIndex, VectorIndex } from './engines.js';
import { uniform } from './random.js';

const ROWS = 100_000;
const QUESTIONS = 100;
const LIMIT = 100;
const FIRST = 20;
const WORD = /\p{L}{2,}/gu;

console.log(
  `${machine()}; ${ROWS.toLocaleString('en')} texts of 8 to 19 words, ${QUESTIONS} questions of 6\n`,
);
const rows: string[][] = [];
for (const [name, conversations] of conversationSets()) {
  if (!['support', 'devteam', 'club'].includes(name)) continue;
  const words = conversations.flatMap(({ turns }) => turns.flatMap(({ text }) => text.match(WORD) ?? []));
  rows.push([
    `words of ${name}`,
    ...(await measured((random) => words[Math.floor(random() * words.length)]!)),
  ]);
}
rows.push(['letters', ...(await measured((random) => letters(Math.floor(20_000 ** random()))))]);
console.log(
  table(['', `recall@${FIRST}`, `recall@${LIMIT}`, 'deviation off at most', 'ms', 'plain, ms'], rows),
);

async function measured(word: (random: () => number) => string): Promise<string[]> {
  const random = uniform(1);
  const text = (length: number): string => Array.from({ length }, () => word(random)).join(' ');
  const keyword = new KeywordIndex(clock);
  const embedder = new BuiltInEmbedder((owner) => keyword.statistics(owner));
  const index = new VectorIndex({ model: embedder.model, dimensions: embedder.dimensions, clock });
  const vectors: Float32Array[] = [];
  for (let row = 0; row < ROWS; row++) {
    const content = text(8 + Math.floor(random() * 12));
    const [vector] = await embedder.embedDocuments([content]);
    keyword.upsert(String(row), attributes(), content);
    index.upsert(String(row), attributes(), vector!);
    vectors.push(vector!);
  }
  const times: [ours: number, plain: number][] = [];
  let first = 0;
  let all = 0;
  let off = 0;
  for (let asked = 0; asked < QUESTIONS; asked++) {
    const query = await embedder.embedQuery(text(6), 'bench');
    if (query.every((value) => value === 0)) {
      asked--;
      continue;
    }
    const began = performance.now();
    const { hits, spread } = await index.nearest(query, { owner: 'bench', limit: LIMIT });
    const between = performance.now();
    const cosines = Float64Array.from(vectors, (vector) => dot(vector, query));
    const least = [FIRST, LIMIT].map((place) => cosines.toSorted()[ROWS - place]! - 1e-4);
    times.push([between - began, performance.now() - between]);
    first += hits.slice(0, FIRST).filter(({ id }) => cosines[Number(id)]! >= least[0]!).length;
    all += hits.filter(({ id }) => cosines[Number(id)]! >= least[1]!).length;
    const mean = cosines.reduce((sum, cosine) => sum + cosine) / ROWS;
    const variance = cosines.reduce((sum, cosine) => sum + (cosine - mean) ** 2, 0) / ROWS;
    off = Math.max(off, Math.abs(spread.deviation / Math.sqrt(variance) - 1));
  }
  await index.close();
  return [
    (first / QUESTIONS / FIRST).toFixed(4),
    (all / QUESTIONS / LIMIT).toFixed(4),
    `${(off * 100).toFixed(2)} %`,
    median(times.map(([ours]) => ours)).toFixed(1),
    median(times.map(([, plain]) => plain)).toFixed(1),
  ];
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}

function letters(number: number): string {
  return String(number).replace(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)] ?? '');
}
