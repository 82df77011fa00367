import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseKernel, type KernelChoice } from '../../../../plugins/memory/engine/vector/choose-kernel.js';
import { INLINE_LANE, LEAD } from '../../../../plugins/memory/engine/vector/layout.js';
import { Matrix } from '../../../../plugins/memory/engine/vector/matrix.js';
import { scan } from '../../../../plugins/memory/engine/vector/scan.js';
import { Scorer } from '../../../../plugins/memory/engine/vector/scorer.js';
import { uniform } from '../entries.js';

const JAVASCRIPT: KernelChoice = { name: 'javascript', reason: 'chosen by the test', module: null };
const DIMENSIONS = 96;
const ROWS = 20_000;
const LIMIT = 20;

const random = uniform(5);

const TOPICS = Array.from({ length: 20 }, () => Array.from({ length: LEAD }, random));

/** Like a built-in vector: 0.8 of its square in the lead, near that of its topic; or, of no topic, all of it behind the lead. */
function vector(topic: number | undefined): Float32Array {
  const rest = Array.from({ length: DIMENSIONS - LEAD }, random);
  if (topic === undefined) return Float32Array.of(...new Float32Array(LEAD), ...scaled(rest, 1));
  const lead = TOPICS[topic]!.map((value) => value + random() / 2);
  return Float32Array.of(...scaled(lead, 0.8), ...scaled(rest, 0.2));
}

function scaled(values: number[], square: number): number[] {
  const scale = Math.sqrt(square / values.reduce((sum, value) => sum + value * value, 0));
  return values.map((value) => value * scale);
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
}

for (const [name, choice] of [
  ['the assembled kernel', chooseKernel()],
  ['plain JavaScript', JAVASCRIPT],
] as const) {
  test(`with ${name}, a long scan that compares sketches first finds what a comparison of everything finds`, () => {
    const matrix = new Matrix(DIMENSIONS, choice);
    matrix.reserve(ROWS);
    const vectors = Array.from({ length: ROWS }, (_, at) =>
      vector(at % 9 === 0 ? undefined : at % TOPICS.length),
    );
    vectors.forEach((each, row) => matrix.write(row, each));
    // a row that takes another one's place brings its sketch
    matrix.move(ROWS - 1, 0);
    vectors[0] = vectors[ROWS - 1]!;

    const rows = Int32Array.from({ length: ROWS - 1 }, (_, at) => at);
    const { memory, kernel } = matrix;
    for (const topic of [3, 4, 5, undefined]) {
      const query = vector(topic);
      const cosines = vectors.slice(0, -1).map((each) => dot(each, query));
      const mean = cosines.reduce((sum, cosine) => sum + cosine) / rows.length;
      const deviation = Math.sqrt(
        cosines.reduce((sum, cosine) => sum + (cosine - mean) ** 2, 0) / rows.length,
      );
      const expected = [...rows].sort((a, b) => cosines[b]! - cosines[a]!).slice(0, LIMIT);

      const scorer = new Scorer(kernel, memory, INLINE_LANE, query);
      const asked = { query, rows, among: ROWS, limit: LIMIT, precision: 'sketched' } as const;
      const found = scan(scorer, asked);
      assert.deepEqual(
        [...found.rows].sort((a, b) => cosines[b]! - cosines[a]!),
        expected,
      );
      found.rows.forEach((row, at) => assert.ok(Math.abs(found.scores[at]! - cosines[row]!) < 1e-4));
      assert.equal(found.compared, 'sketches');
      assert.ok(Math.abs(found.all.mean - mean) < 0.02 * deviation);
      assert.ok(Math.abs(Math.sqrt(found.all.variance) / deviation - 1) < 0.02);
    }
  });
}
