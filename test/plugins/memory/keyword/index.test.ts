import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { analyze } from '../../../../plugins/memory/engine/analyzer/analyze.js';
import {
  byRank,
  type EntryAttributes,
  type EntryFilter,
  type Hit,
} from '../../../../plugins/memory/engine/base/attributes.js';
import { KeywordIndex } from '../../../../plugins/memory/engine/keyword/index.js';
import { anyAttributes, anyFilter, attributes, TestClock, uniform, visible } from '../entries.js';

type Entries = Map<string, { attributes: EntryAttributes; text: string }>;

/** BM25+ as its paper writes it, by counting words in all texts each time. */
function reference(
  entries: Entries,
  query: string,
  owner: string | null,
  filter: EntryFilter,
  now: number,
): Hit[] {
  const pool = [...entries]
    .filter(([, entry]) => entry.attributes.owner === owner)
    .map(([id, entry]) => ({ id, ...entry, ...analyze(entry.text) }));
  const average =
    Math.max(
      1,
      pool.reduce((sum, { terms }) => sum + terms.length, 0),
    ) / pool.length;
  const { terms: words, common: stopWords } = analyze(query);
  // Stop words are asked for alone, all of them.
  const asked = new Set(words.length > 0 ? words : stopWords);
  const least = words.length > 0 ? 1 : asked.size;
  return pool
    .filter((entry) => visible(entry.attributes, owner, filter, now))
    .map(({ id, attributes, terms, common }) => {
      let score = 0;
      let matched = 0;
      for (const term of asked) {
        const frequency = [...terms, ...common].filter((other) => other === term).length;
        if (frequency === 0) continue;
        const containing = pool.filter((other) => [...other.terms, ...other.common].includes(term)).length;
        const idf = Math.log(1 + (pool.length - containing + 0.5) / (containing + 0.5));
        score += idf * ((2.2 * frequency) / (frequency + 1.2 * (0.6 + (0.4 * terms.length) / average)) + 0.5);
        matched++;
      }
      return { id, score: matched < least ? 0 : score * Math.sqrt(matched), createdAt: attributes.createdAt };
    })
    .filter((hit) => hit.score > 0)
    .sort(byRank);
}

function assertRanking(found: Hit[], expected: Hit[], limit: number): void {
  assert.equal(found.length, Math.min(limit, expected.length));
  const exact = new Map(expected.map((hit) => [hit.id, hit.score]));
  found.forEach((hit, at) => {
    const score = exact.get(hit.id);
    assert.ok(
      score !== undefined && Math.abs(hit.score - score) < 1e-9,
      `${hit.id}: ${hit.score} is not ${score}`,
    );
    assert.ok(Math.abs(score - expected[at]!.score) < 1e-9, `place ${at} belongs to ${expected[at]!.id}`);
  });
}

const word = fc.constantFrom(
  'harbour',
  'harbours',
  'lamp',
  'seven',
  'moved',
  '서울에서',
  '항구',
  '港町',
  'the',
);
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
const id = fc.nat({ max: 150 }).map(String);
/** A number in letters: one with digits would be a name of code, and more than one term. */
const letters = (number: number): string =>
  String(number).replace(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)]!);
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('upsert' as const), id, attributes: anyAttributes, text }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), id }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('change' as const), id, attributes: anyAttributes }),
  },
);

test('after any upserts, deletions and changes, a search ranks as plain BM25+ over the living entries does', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400, size: 'max' }), text, anyFilter, (steps, query, filter) => {
      const clock = new TestClock();
      const index = new KeywordIndex(clock);
      const known: Entries = new Map();
      for (const step of steps) {
        const before = known.get(step.id);
        if (step.kind === 'upsert') {
          index.upsert(step.id, step.attributes, step.text);
          known.set(step.id, step);
        } else if (step.kind === 'delete') {
          assert.equal(index.delete(step.id), known.delete(step.id));
        } else {
          const kept = before !== undefined && before.attributes.owner === step.attributes.owner;
          assert.equal(index.setAttributes(step.id, step.attributes), kept);
          if (kept) known.set(step.id, { ...before, attributes: step.attributes });
        }
      }
      assert.equal(index.size, known.size);
      for (const owner of [null, 'a']) {
        const expected = reference(known, query, owner, filter, clock.now());
        assertRanking(index.search(query, { owner, filter, limit: 10 }), expected, 10);
      }
    }),
    { numRuns: 100 },
  );
});

test('deleting most of a pool corrects the ranking and frees its words, and its room serves the next entries', () => {
  const index = new KeywordIndex(new TestClock());
  const known: Entries = new Map();
  const add = (at: number): void => {
    const text = `note ${at} about topic${letters(at % 10)} and word${letters(at)}`;
    index.upsert(`e${at}`, attributes({ createdAt: at }), text);
    known.set(`e${at}`, { attributes: attributes({ createdAt: at }), text });
  };
  const remove = (at: number): void => {
    index.delete(`e${at}`);
    known.delete(`e${at}`);
  };
  for (let at = 0; at < 1000; at++) add(at);
  const full = index.room;
  for (let round = 1; round <= 5; round++) {
    const begin = (round - 1) * 900;
    for (let at = begin; at < begin + 900; at++) remove(at);
    const query = `topic${letters(3)} word${letters(begin + 953)} word${letters(begin)}`;
    const found = index.search(query, { owner: null, limit: 20 });
    assertRanking(found, reference(known, query, null, {}, 0), 20);
    assert.equal(found[0]?.id, `e${begin + 953}`);
    for (let at = begin + 1000; at < begin + 1900; at++) add(at);
  }
  assert.equal(index.size, 1000);
  assert.ok(index.room < full * 1.5, `room for ${index.room} postings, ${full} before`);
});

test('while entries come and go, half-way through a sweep too, an index, and one that was kept of it, rank as one that was made just now', async () => {
  const numbers = uniform(5);
  const random = (): number => Math.abs(numbers());
  const clock = new TestClock();
  let index = new KeywordIndex(clock);
  const known: Entries = new Map();
  const topic = (): string => `topic${letters(Math.floor(random() ** 3 * 300))}`;
  for (let step = 1; step <= 20_000; step++) {
    const id = `e${Math.floor(random() * 1200)}`;
    if (random() < 0.5) {
      index.delete(id);
      known.delete(id);
    } else {
      const text = Array.from({ length: 6 }, topic).join(' ');
      index.upsert(id, attributes({ createdAt: step }), text);
      known.set(id, { attributes: attributes({ createdAt: step }), text });
    }
    if (step % 500 !== 0) continue;
    const fresh = new KeywordIndex(clock);
    for (const [id, entry] of known) fresh.upsert(id, entry.attributes, entry.text);
    const query = `${topic()} ${topic()} topic0`;
    const search = { owner: null, limit: 50 };
    const all = fresh.search(query, { ...search, limit: Infinity });
    assertRanking(index.search(query, search), all, 50);
    const taken = new KeywordIndex(clock);
    for (const { owner, pool } of index.kept()) await taken.take(owner, pool);
    for (const [id, entry] of known) {
      assert.equal(taken.has(id, entry.text), true);
      assert.equal(taken.setAttributes(id, entry.attributes), true);
    }
    assert.equal(taken.size, known.size);
    assertRanking(taken.search(query, search), all, 50);
    // The other steps go on with either.
    if (step % 3000 === 0) index = taken;
  }
});

test('the best few are the same whether all entries are asked for or not, where most share a common word', () => {
  const index = new KeywordIndex(new TestClock());
  for (let at = 0; at < 2000; at++) {
    // The first words are in nearly every entry, the last in a few.
    const words = Array.from({ length: 9 }, (_, word) =>
      at % (2 * word ** 2 + 1) === 0 ? `term${'abcdefghi'[word]}` : '',
    );
    const user = at % 3 === 0 ? 'bo' : null;
    index.upsert(`e${at}`, attributes({ user, createdAt: at }), words.join(' '));
  }
  for (const query of [
    'terma termi',
    'terma termb termh',
    'terma termb termc termd',
    'termi terma termb termc termf',
  ]) {
    for (const filter of [{}, { user: null }]) {
      const all = index.search(query, { owner: attributes().owner, filter, limit: Infinity });
      assert.ok(all.length > 40);
      for (const limit of [1, 5, 40])
        assertRanking(index.search(query, { owner: attributes().owner, filter, limit }), all, limit);
    }
  }
});

test("another owner's words change neither the scores nor the statistics", () => {
  const alone = new KeywordIndex(new TestClock());
  const crowded = new KeywordIndex(new TestClock());
  for (const index of [alone, crowded]) {
    index.upsert('1', attributes({ owner: 'a' }), 'the blue harbour at dawn');
    index.upsert('2', attributes({ owner: 'a' }), 'a blue lamp');
  }
  for (let at = 0; at < 200; at++)
    crowded.upsert(`b${at}`, attributes({ owner: 'b' }), 'harbour harbour lamp');
  const search = { owner: 'a', limit: 10 };
  assert.deepEqual(crowded.search('blue harbour lamp', search), alone.search('blue harbour lamp', search));
  const statistics = crowded.statistics('a');
  assert.deepEqual([statistics.documents, statistics.documentFrequency('harbour')], [2, 1]);
});

test('an entry is found until the instant it expires, and not at that instant', () => {
  const clock = new TestClock();
  const index = new KeywordIndex(clock);
  index.upsert('e', attributes({ expiresAt: clock.time + 1 }), 'harbour');
  assert.equal(index.search('harbour', { owner: null, limit: 5 }).length, 1);
  clock.time += 1;
  assert.deepEqual(index.search('harbour', { owner: null, limit: 5 }), []);
});

test('a question finds entries by any of its words, and those with more of them first', () => {
  const index = new KeywordIndex(new TestClock());
  index.upsert('one', attributes(), 'Maria keeps bees');
  index.upsert('two', attributes(), 'Maria moved to the harbour');
  index.upsert('none', attributes(), 'unrelated');
  const hits = index.search('Where did Maria move, which harbour?', { owner: null, limit: 5 });
  assert.deepEqual(
    hits.map((hit) => hit.id),
    ['two', 'one'],
  );
});

test('a query without any word finds nothing', () => {
  const index = new KeywordIndex(new TestClock());
  index.upsert('e', attributes(), 'harbour');
  for (const query of ['', '   ', '?!', 'the of and']) {
    assert.deepEqual(index.search(query, { owner: null, limit: 5 }), []);
  }
});

test('a word repeated beyond what a posting counts is capped, and does not spill into another entry', () => {
  const index = new KeywordIndex(new TestClock());
  index.upsert('loud', attributes(), 'echo '.repeat(100_000));
  index.upsert('quiet', attributes(), 'silence');
  assert.deepEqual(
    index.search('echo', { owner: null, limit: 5 }).map((hit) => hit.id),
    ['loud'],
  );
});

test('an entry and a query of 70,000 different words meet once', () => {
  const index = new KeywordIndex(new TestClock());
  const text = Array.from({ length: 70_000 }, (_, at) => `w${at}`).join(' ');
  index.upsert('long', attributes(), text);
  assert.equal(index.search(text, { owner: null, limit: 5 }).length, 1);
});

test('the search of every pool finds all owners, each by their own pool, and applies the filter', () => {
  const index = new KeywordIndex(new TestClock());
  index.upsert('1', attributes({ owner: 'a' }), 'harbour');
  index.upsert('2', attributes({ owner: 'b', type: 'episodic' }), 'harbour');
  index.upsert('3', attributes({ archived: true }), 'harbour');
  const ids = (filter: EntryFilter) =>
    index.searchEveryPool('harbour', { filter, limit: Infinity }).map((hit) => hit.id);
  assert.deepEqual(ids({}), ['1', '2']);
  assert.deepEqual(ids({ type: 'episodic' }), ['2']);
});

test('what was written before a kept pool is taken stays, and is in one pool alone', async () => {
  const index = new KeywordIndex(new TestClock());
  const kept = new KeywordIndex(new TestClock());
  for (const [id, owner] of [
    ['1', 'ann'],
    ['2', 'bo'],
    ['3', 'bo'],
  ] as const)
    kept.upsert(id, attributes({ owner }), `old tea ${id}`);
  index.upsert('1', attributes({ owner: 'ann' }), 'new coffee');
  // It has changed owners.
  index.upsert('2', attributes({ owner: 'cy' }), 'new milk');
  for (const { owner, pool } of kept.kept()) await index.take(owner, pool);
  assert.equal(index.setAttributes('3', attributes({ owner: 'bo' })), true);
  const found = (owner: string, query: string) =>
    index.search(query, { owner, limit: 9 }).map(({ id }) => id);
  assert.deepEqual([found('ann', 'coffee'), found('ann', 'tea')], [['1'], []]);
  assert.deepEqual([found('cy', 'milk'), found('bo', 'tea')], [['2'], ['3']]);
  assert.equal(index.size, 3);
  assert.deepEqual(
    ['1', '2', '3'].map((id) => index.delete(id)),
    [true, true, true],
  );
  assert.deepEqual(
    ['ann', 'bo', 'cy'].flatMap((owner) => found(owner, 'coffee milk tea')),
    [],
  );
});
