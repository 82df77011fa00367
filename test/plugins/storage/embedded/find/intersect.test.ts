/** Several items of an array, looked for in the index of its items. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Filter } from 'plugboard/sdk';
import { openStore, type Row } from '../open.js';

const ROWS = 600;
/** Every how many rows one has the word. */
const WORDS = { all: 1, some: 3, few: 40, two: 299, none: 1_000 } as const;
type Word = keyof typeof WORDS;

function wordsOf(at: number): Word[] {
  return (Object.keys(WORDS) as Word[]).filter((word) => at % WORDS[word] === WORDS[word] - 1);
}

test('rows that have all of several words are found in order, however rare each word is', async (t) => {
  const { storage } = await openStore(t);
  const rows = storage.collection<Row>({
    name: 'texts',
    indexes: [{ keys: { words: 1, at: 1 } }],
  });
  const all = Array.from({ length: ROWS }, (_, at) => ({
    _id: `r${(at * 7) % ROWS}`,
    at,
    words: wordsOf(at),
  }));
  await rows.insertMany(all);
  const searches: Word[][] = [
    ['all', 'few'],
    ['few', 'all'],
    ['some', 'few'],
    ['few', 'two', 'all'],
    ['all', 'some', 'few'],
    ['all', 'none'],
    ['two', 'two'],
  ];
  for (const words of searches) {
    for (const direction of [1, -1] as const) {
      for (const [from, to] of [
        [0, ROWS],
        [150, 450],
      ] as const) {
        const filter = {
          $and: words.map((word) => ({ words: word })),
          at: { $gte: from, $lt: to },
        } as Filter<Row>;
        const expected = all
          .filter(({ at, words: has }) => at >= from && at < to && words.every((word) => has.includes(word)))
          .map(({ at }) => at);
        if (direction === -1) expected.reverse();
        const found = await rows.find(filter, { sort: { at: direction } }).toArray();
        assert.deepEqual(
          found.map(({ at }) => at),
          expected,
          `${words.join(' ')}, ${direction}, ${from}`,
        );
        assert.equal(await rows.countDocuments(filter), expected.length);
        assert.deepEqual(await rows.explain(filter, { sort: { at: direction }, limit: 5 }), {
          access: 'index',
          index: 'words,at',
          sort: 'index',
        });
      }
    }
  }
});
