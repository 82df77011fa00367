import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { KeywordIndex } from '../../../plugins/memory/engine/keyword/index.js';
import { BuiltInEmbedder } from '../../../plugins/memory/engine/embedding/built-in.js';
import { VectorIndex } from '../../../plugins/memory/engine/vector/index.js';
import { attributes, TestClock } from './entries.js';

const OWNERS = 1000;
const WORDS = [
  'harbour',
  'lamp',
  'seven',
  'copper',
  'orchard',
  'violin',
  'ferry',
  'winter',
  '항구',
  '등불',
  '港町',
];

/** Owner `o17` has the entries `o17/0` to `o17/4`, of words that all owners use. */
async function fill(keyword: KeywordIndex, vector: VectorIndex, embedder: BuiltInEmbedder): Promise<void> {
  for (let owner = 0; owner < OWNERS; owner++) {
    for (let entry = 0; entry < 5; entry++) {
      const text = [3, 5, 7].map((step) => WORDS[(owner * step + entry) % WORDS.length]).join(' ');
      const id = `o${owner}/${entry}`;
      keyword.upsert(id, attributes({ owner: `o${owner}` }), text);
      const [stored] = await embedder.embedDocuments([text]);
      vector.upsert(id, attributes({ owner: `o${owner}` }), stored!);
    }
  }
}

for (const [place, inlineFloats] of [
  ['the event loop', Infinity],
  ['the worker', 0],
] as const) {
  test(`among 1,000 owners no query ever finds another owner's entry, scanning in ${place}`, async (t) => {
    const clock = new TestClock();
    const keyword = new KeywordIndex(clock);
    const embedder = new BuiltInEmbedder((owner) => keyword.statistics(owner));
    const vector = new VectorIndex({
      model: embedder.model,
      dimensions: embedder.dimensions,
      clock,
      inlineFloats,
    });
    t.after(() => vector.close());
    await fill(keyword, vector, embedder);
    const query = fc.record({
      owner: fc.nat({ max: OWNERS + 20 }),
      text: fc
        .array(fc.oneof(fc.constantFrom(...WORDS), fc.string()), { maxLength: 6 })
        .map((words) => words.join(' ')),
      limit: fc.integer({ min: 1, max: 100 }),
      churned: fc.nat({ max: OWNERS - 1 }),
    });
    await fc.assert(
      fc.asyncProperty(query, async ({ owner: number, text, limit, churned }) => {
        // every query meets an index whose rows have just changed their places
        keyword.upsert(`o${churned}/0`, attributes({ owner: `o${churned}` }), text);
        const owner = `o${number}`;
        const asked = await embedder.embedQuery(text, owner);
        const searching = vector.search(asked, { owner, limit });
        const [stored] = await embedder.embedDocuments([text]);
        vector.upsert(`o${churned}/0`, attributes({ owner: `o${churned}` }), stored!);
        const hits = [...(await searching), ...keyword.search(text, { owner, limit })];
        for (const { id } of hits) assert.equal(id.split('/')[0], owner);
      }),
      { numRuns: 150 },
    );
  });
}
