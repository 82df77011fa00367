import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { byRank, type Hit } from '../../../../plugins/memory/engine/base/attributes.js';
import { withinBudget } from '../../../../plugins/memory/engine/ranking/budget.js';
import {
  fuse,
  trust,
  vectorEvidence,
  wordEvidence,
} from '../../../../plugins/memory/engine/ranking/fusion.js';
import {
  inConversations,
  liftSessions,
  smooth,
} from '../../../../plugins/memory/engine/ranking/neighbours.js';
import { speakerIn, turnText } from '../../../../plugins/memory/engine/ranking/turn.js';
import { Sessions } from '../../../../plugins/memory/engine/ranking/sessions.js';
import { estimateTokens } from '../../../../plugins/memory/engine/base/tokens.js';
import { attributes, TestClock } from '../entries.js';

const hit = (id: string, score = 1, createdAt = 0): Hit => ({ id, score, createdAt });
const ids = (hits: readonly { readonly id: string }[]): string[] => hits.map(({ id }) => id);

test('fusion adds weighted scores over the lists that name an entry', () => {
  const fused = fuse([
    { hits: [hit('a', 1), hit('b', 0.5)], weight: 0.75 },
    { hits: [hit('b', 1), hit('c', 0.5)], weight: 0.25 },
  ]);
  assert.deepEqual(fused, [hit('a', 0.75), hit('b', 0.625), hit('c', 0.125)]);
});

test('equal fused scores are ordered by the newest, then by id', () => {
  const fused = fuse([
    { hits: [hit('old', 1, 1)], weight: 1 },
    { hits: [hit('new', 1, 2)], weight: 1 },
    { hits: [hit('also new', 1, 2)], weight: 1 },
  ]);
  assert.deepEqual(ids(fused), ['also new', 'new', 'old']);
});

test('words count by the best hit, and half as much where it has hardly any of the query', () => {
  assert.deepEqual(wordEvidence([hit('a', 8), hit('b', 2)], 10), [hit('a', 1), hit('b', 0.25)]);
  assert.deepEqual(wordEvidence([hit('a', 8), hit('b', 2)], 1000), [hit('a', 0.5), hit('b', 0.125)]);
  assert.deepEqual(wordEvidence([], 10), []);
});

test('cosines count by how far they stand out: a model that finds everything similar says no more than another', () => {
  const wide = vectorEvidence([hit('a', 0.6), hit('b', 0.2)], { entries: 1e6, mean: 0.2, deviation: 0.1 });
  const narrow = vectorEvidence([hit('a', 0.94), hit('b', 0.9)], {
    entries: 1e6,
    mean: 0.9,
    deviation: 0.01,
  });
  for (const [first, second] of [wide, narrow]) {
    assert.ok(Math.abs(first!.score - 1) < 1e-3 && second!.score < 1e-3 && second!.score > 0);
  }
  const best = vectorEvidence([hit('a', 0.9), hit('b', 0.7), hit('c', 0.5)], undefined);
  assert.deepEqual(
    best.map(({ score }) => Math.round(score * 100)),
    [100, 50, 0],
  );
  const alone = vectorEvidence([hit('a', 0.8)], { entries: 1, mean: 0.8, deviation: 0 });
  assert.ok(alone[0]!.score > 0.5);
});

test('vectors to which all entries are alike are not trusted, unless the best stands out', () => {
  const spread = (mean: number, deviation: number) => ({ entries: 100, mean, deviation });
  const english = spread(0.1, 0.1);
  assert.equal(trust([hit('a', 0.3)], english), 1);
  const unknown = spread(0.6, 0.06);
  assert.equal(trust([hit('a', 0.75)], unknown), 0);
  assert.equal(trust([hit('a', 0.95)], unknown), 1);
  assert.equal(trust([hit('a', 0.5)], spread(0.875, 0.25)), 0.5);
  assert.equal(trust([hit('a', 0.9)], undefined), 0.5);
  assert.equal(trust([], { entries: 0, mean: 0, deviation: 0 }), 1);
});

const text = (content: string) => ({ content, tokens: 20 });

test('the best of a session lifts all of it, and an entry of no session by itself', () => {
  const sessions = new Sessions(new TestClock());
  for (const id of ['a', 'b'])
    sessions.upsert(id, attributes({ type: 'episodic', session: 's' }), text('It is so.'));
  const lifted = liftSessions([hit('a', 1), hit('c', 0.75), hit('b', 0.5)], sessions);
  assert.deepEqual(
    lifted.map(({ id, score }) => [id, Math.round(score * 1000)]),
    [
      ['a', 1300],
      ['c', 975],
      ['b', 800],
    ],
  );
});

test('an entry that does not fit the budget is skipped, and a later smaller one is taken', () => {
  const ranking = [
    { id: 'a', tokens: 60 },
    { id: 'b', tokens: 50 },
    { id: 'c', tokens: 40 },
  ];
  const { kept, tokens } = withinBudget(ranking, 100);
  assert.deepEqual([ids(kept), tokens], [['a', 'c'], 100]);
  assert.deepEqual(withinBudget(ranking, 30), { kept: [], tokens: 0 });
});

test('a budget is never exceeded, keeps the order, and leaves out nothing that still fits', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 50 })), fc.nat({ max: 200 }), (costs, budget) => {
      const ranking = costs.map((tokens, at) => ({ tokens, at }));
      const { kept, tokens } = withinBudget(ranking, budget);
      assert.ok(tokens <= budget);
      assert.equal(
        kept.reduce((sum, entry) => sum + entry.tokens, 0),
        tokens,
      );
      assert.deepEqual(
        kept.map((entry) => entry.at),
        kept.map((entry) => entry.at).sort((a, b) => a - b),
      );
      for (const entry of ranking) if (!kept.includes(entry)) assert.ok(tokens + entry.tokens > budget);
    }),
  );
});

test('tokens: a word about one for six letters, a CJK character one, an empty text none', () => {
  assert.equal(estimateTokens(''), 0);
  assert.equal(estimateTokens('The harbour closes at seven.'), 7);
  assert.equal(estimateTokens('서울에서 만났다'), 7);
  assert.equal(estimateTokens('東京へ行く'), 5);
  assert.equal(estimateTokens('1,000,000'), 5);
  assert.ok(estimateTokens('Привет, как дела?') >= 7);
});

test('a hit lends shares of its score up to three places each way, more to what comes after it', () => {
  const sessions = new Sessions(new TestClock());
  for (const at of [4, 1, 3, 2, 5, 0, 6, 7]) {
    sessions.upsert(
      `t${at}`,
      attributes({ type: 'episodic', session: 's', createdAt: at }),
      text('It is so.'),
    );
  }
  const smoothed = smooth([hit('t3', 100, 3)], sessions);
  assert.deepEqual(smoothed.sort(byRank), [
    hit('t3', 100, 3),
    hit('t4', 50, 4),
    hit('t2', 35, 2),
    hit('t5', 25, 5),
    hit('t1', 20, 1),
    hit('t6', 12, 6),
    hit('t0', 10, 0),
  ]);
});

test('a turn that asks keeps less and lends more to the next one, which answers', () => {
  const sessions = new Sessions(new TestClock());
  const turns = ['Bo: We met.', 'Bo: "When does the harbour close?"', 'Ann: At seven.', 'Bo: Fine.'];
  turns.forEach((content, at) =>
    sessions.upsert(`t${at}`, attributes({ type: 'episodic', session: 's', createdAt: at }), text(content)),
  );
  const smoothed = smooth([hit('t1', 100, 1)], sessions);
  assert.deepEqual(smoothed.sort(byRank), [
    hit('t2', 80, 2),
    hit('t1', 60, 1),
    hit('t3', 25, 3),
    hit('t0', 20, 0),
  ]);
  for (const content of ['그래요?', '何時？', 'متى؟', 'Why? ”', 'Really?!'])
    assert.ok(turnText(text(content)).asks, content);
  for (const content of ['Who? Me.', '', ' ', '?'.repeat(3) + ' no'])
    assert.ok(!turnText(text(content)).asks, content);
});

test('among turns that are otherwise equal, the one whom the query names and the longer one come first', () => {
  const sessions = new Sessions(new TestClock());
  const turns = [
    ['short', 'Ann: yes', 3],
    ['other', 'Bo: I bought the lamp', 20],
    ['named', 'Ann: I bought the lamp', 20],
  ] as const;
  turns.forEach(([id, content, tokens], at) =>
    sessions.upsert(id, attributes({ type: 'episodic', session: `s${at}` }), { content, tokens }),
  );
  const order = (query: string): string[] =>
    ids(inConversations([hit('short'), hit('other'), hit('named'), hit('fact', 0.5)], sessions, query));
  assert.deepEqual(order("what is Ann's lamp like?"), ['named', 'other', 'short', 'fact']);
  assert.deepEqual(order('what did Bo buy?'), ['other', 'named', 'short', 'fact']);
});

test('a query names a speaker by what no other one is called, and none when it names several', () => {
  const named = (query: string, ...speakers: string[]) => speakerIn(query, new Set(speakers));
  assert.equal(named('Where does Ann live?', 'ann', 'bo'), 'ann');
  assert.equal(named('Where is Katrins Haus?', 'katrin', 'selma'), 'katrin');
  assert.equal(named('지우는 어디에 살아?', '지우', '민호'), '지우');
  assert.equal(named('What did the customer Bo say?', 'customer bo', 'customer ann'), 'customer bo');
  assert.equal(named('What did the customer say?', 'customer bo', 'customer ann'), undefined);
  assert.equal(named('When did Ann meet Bo?', 'ann', 'bo'), undefined);
  assert.equal(named('What about tomorrow?', 'tom'), undefined);
  assert.equal(turnText(text('https://example.org: no')).speaker, null);
  assert.equal(turnText(text('Dr. O’Neil: no')).speaker, 'dr. o’neil');
});

test('only living episodic entries of the same owner, end user and session are neighbours', () => {
  const clock = new TestClock();
  const sessions = new Sessions(clock);
  const turn = { type: 'episodic', session: 's', owner: 'a' } as const;
  sessions.upsert('asked', attributes({ ...turn, createdAt: 5 }), text('It is so.'));
  sessions.upsert('other owner', attributes({ ...turn, owner: 'b', createdAt: 6 }), text('It is so.'));
  sessions.upsert('other end user', attributes({ ...turn, user: 'u', createdAt: 6 }), text('It is so.'));
  sessions.upsert('other session', attributes({ ...turn, session: 't', createdAt: 6 }), text('It is so.'));
  sessions.upsert('factual', attributes({ ...turn, type: 'factual', createdAt: 6 }), text('It is so.'));
  sessions.upsert('archived', attributes({ ...turn, archived: true, createdAt: 6 }), text('It is so.'));
  sessions.upsert(
    'expiring',
    attributes({ ...turn, expiresAt: clock.time + 1, createdAt: 7 }),
    text('It is so.'),
  );
  sessions.upsert('after', attributes({ ...turn, createdAt: 8 }), text('It is so.'));
  assert.deepEqual(ids(sessions.neighbours('asked')), ['expiring', 'after']);
  clock.time += 1;
  assert.deepEqual(sessions.neighbours('asked'), [{ id: 'after', createdAt: 8, distance: 1 }]);
  sessions.delete('after');
  assert.deepEqual(sessions.neighbours('asked'), []);
  assert.deepEqual(sessions.neighbours('factual'), []);
});
