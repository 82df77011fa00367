import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Hit } from '../../../../plugins/memory/attributes.js';
import { withinBudget } from '../../../../plugins/memory/ranking/budget.js';
import { atLeast, fuse } from '../../../../plugins/memory/ranking/fusion.js';
import { smooth } from '../../../../plugins/memory/ranking/neighbours.js';
import { Sessions } from '../../../../plugins/memory/ranking/sessions.js';
import { estimateTokens } from '../../../../plugins/memory/ranking/tokens.js';
import { attributes, TestClock } from '../entries.js';

const hit = (id: string, score = 1, createdAt = 0): Hit => ({ id, score, createdAt });
const ids = (hits: readonly { readonly id: string }[]): string[] => hits.map(({ id }) => id);

test('fusion adds weight / (60 + rank) over the rankings that name an entry', () => {
  const fused = fuse([
    { hits: [hit('a', 9), hit('b', 8)], weight: 0.7 },
    { hits: [hit('b', 0.9), hit('c', 0.8)], weight: 0.3 },
  ]);
  assert.deepEqual(fused, [hit('b', 0.7 / 62 + 0.3 / 61), hit('a', 0.7 / 61), hit('c', 0.3 / 62)]);
});

test('equal fused scores are ordered by the newest, then by id', () => {
  const fused = fuse([
    { hits: [hit('old', 1, 1)], weight: 1 },
    { hits: [hit('new', 1, 2)], weight: 1 },
    { hits: [hit('also new', 1, 2)], weight: 1 },
  ]);
  assert.deepEqual(ids(fused), ['also new', 'new', 'old']);
});

test('minScore keeps what reaches it, and none keeps all', () => {
  assert.deepEqual(ids(atLeast([hit('a', 0.5), hit('b', 0.4)], 0.5)), ['a']);
  assert.deepEqual(ids(atLeast([hit('a', 0.5), hit('b', 0.4)], undefined)), ['a', 'b']);
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

test('a hit lends 0.4 of its score to the next entry of its session, 0.2 to the one before, 0.1 two away', () => {
  const sessions = new Sessions(new TestClock());
  for (const at of [4, 1, 3, 2, 5, 0]) {
    sessions.upsert(`t${at}`, attributes({ type: 'episodic', session: 's', createdAt: at }));
  }
  const smoothed = smooth([hit('t2', 10, 2)], (id) => sessions.neighbours(id));
  assert.deepEqual(smoothed, [
    hit('t2', 10, 2),
    hit('t3', 4, 3),
    hit('t1', 2, 1),
    hit('t4', 1, 4),
    hit('t0', 1, 0),
  ]);
});

test('only living episodic entries of the same owner and session are neighbours', () => {
  const clock = new TestClock();
  const sessions = new Sessions(clock);
  const turn = { type: 'episodic', session: 's', owner: 'a' } as const;
  sessions.upsert('asked', attributes({ ...turn, createdAt: 5 }));
  sessions.upsert('other owner', attributes({ ...turn, owner: 'b', createdAt: 6 }));
  sessions.upsert('other session', attributes({ ...turn, session: 't', createdAt: 6 }));
  sessions.upsert('factual', attributes({ ...turn, type: 'factual', createdAt: 6 }));
  sessions.upsert('archived', attributes({ ...turn, archived: true, createdAt: 6 }));
  sessions.upsert('expiring', attributes({ ...turn, expiresAt: clock.time + 1, createdAt: 7 }));
  sessions.upsert('after', attributes({ ...turn, createdAt: 8 }));
  assert.deepEqual(ids(sessions.neighbours('asked')), ['expiring', 'after']);
  clock.time += 1;
  assert.deepEqual(sessions.neighbours('asked'), [{ id: 'after', createdAt: 8, distance: 1 }]);
  sessions.delete('after');
  assert.deepEqual(sessions.neighbours('asked'), []);
  assert.deepEqual(sessions.neighbours('factual'), []);
});
