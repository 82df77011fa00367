import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateTokens } from '../../../../plugins/memory/engine/base/tokens.js';
import {
  groupOriginals,
  planFolds,
  planWith,
} from '../../../../plugins/memory/engine/maintenance/summary-plan.js';
import type { Original } from '../../../../plugins/memory/engine/maintenance/summary-gate.js';
import { entryDocument } from '../support/entry-document.js';

const LONG =
  'The user asked about the train to Busan. It leaves at nine in the morning and takes about three hours, which was fine for everyone.';

test('entries of two owners or two sessions never share a group, and one entry alone makes none', () => {
  const groups = groupOriginals([
    entryDocument('a'),
    entryDocument('b'),
    entryDocument('c', { apiKeyId: 'bob' }),
    entryDocument('d', { apiKeyId: null }),
    entryDocument('e', { sessionId: 's1' }),
    entryDocument('f', { sessionId: 's1' }),
  ]);
  assert.deepEqual(
    groups.map(({ owner, session, originals }) => [
      owner,
      session,
      originals.map(({ content }) => content).join(''),
    ]),
    [
      ['ann', null, 'ab'],
      ['ann', 's1', 'ef'],
    ],
  );
});

const folded = (entries: Original[], cosine: () => number | null = () => null) =>
  groupOriginals(entries)
    .flatMap((group) => planFolds(group, cosine))
    .map(({ kept, originals }) => [kept.content, ...originals.map(({ content }) => content)]);

test('a summary knows what it saves, and a text that is not smaller is none', () => {
  const [group] = groupOriginals([entryDocument(LONG), entryDocument(`${LONG} She moved to Seoul in May.`)]);
  assert.ok(group);
  const text =
    'The user asked about the train to Busan. It leaves at nine in the morning and takes three hours. She moved to Seoul in May.';
  const { plan, refused } = planWith(group, text);
  assert.ok(plan !== null && plan.tokensAfter < plan.tokensBefore);
  assert.equal(plan.tokensAfter, estimateTokens(plan.content));
  assert.deepEqual(refused, []);
  for (const [unfit, reason] of [
    [LONG.repeat(3).concat(' She moved to Seoul in May.'), /^not_smaller/],
    [' ', /^(says_too_little|name_missing)/],
  ] as const) {
    const written = planWith(group, unfit);
    assert.equal(written.plan, null);
    assert.deepEqual(
      written.refused.map((each) => reason.test(each.reason)),
      [true, true],
    );
  }
});

test('entries of two end users never share a group', () => {
  const groups = groupOriginals([
    entryDocument('a', { userId: 'ann' }),
    entryDocument('b', { userId: 'bo' }),
    entryDocument('c', { userId: 'ann' }),
    entryDocument('d'),
  ]);
  assert.deepEqual(
    groups.map(({ user, originals }) => [user, originals.map(({ content }) => content).join('')]),
    [['ann', 'ac']],
  );
});

test('of entries that say the same, by their words or by their vectors, the newest stays as it is', () => {
  assert.deepEqual(folded([entryDocument('likes green tea'), entryDocument('Likes green tea!')]), [
    ['Likes green tea!', 'likes green tea'],
  ]);
  const alike = [entryDocument('prefers sencha'), entryDocument('she prefers sencha by far')];
  assert.deepEqual(
    folded(alike, () => 0.93),
    [['she prefers sencha by far', 'prefers sencha']],
  );
  assert.deepEqual(
    folded(alike, () => 0.92),
    [],
  );
});

for (const [what, one, other] of [
  ['a number', 'The code of the door is 4711 since May', 'The code of the door is 4712 since May'],
  ['a negation', 'She does not eat any nuts at all', 'She does eat any nuts at all'],
  ['a negation in German', 'Sie trinkt Kaffee am Morgen', 'Sie trinkt keinen Kaffee am Morgen'],
  ['a contracted negation', 'We do eat any nuts at all', "We don't eat any nuts at all, we do"],
  ['the order', 'Ann gave the red book to Bo last week', 'Bo gave the red book to Ann last week'],
] as const) {
  test(`however alike two entries are, ${what} that one alone has is never lost`, () => {
    const texts = folded([entryDocument(one), entryDocument(other)], () => 0.99).flat();
    assert.deepEqual(texts, []);
  });
}

test('entries of two types, or with metadata that the other has not, do not fold', () => {
  const says = 'likes green tea';
  assert.deepEqual(folded([entryDocument(says), entryDocument(says, { type: 'procedural' })]), []);
  const tagged = { metadata: { _project: '"x"' } };
  assert.deepEqual(
    folded([entryDocument(says, tagged), entryDocument(`${says}!`, { metadata: { _project: '"y"' } })]),
    [],
  );
  // The one with more metadata says what the newer one says.
  assert.deepEqual(folded([entryDocument(says, tagged), entryDocument(`${says}!`)]), [[says, `${says}!`]]);
});

test('the plan depends on nothing but the entries: in any order it is the same', () => {
  const entries = [entryDocument(LONG), entryDocument(LONG), entryDocument('x')];
  assert.deepEqual(folded(entries), folded(entries.toReversed()));
});
