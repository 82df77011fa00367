import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateTokens } from '../../../../plugins/memory/ranking/tokens.js';
import {
  groupOriginals,
  planSummary,
  type Original,
} from '../../../../plugins/memory/maintenance/summary-plan.js';

let count = 0;
function original(content: string, fields: Partial<Original> = {}): Original {
  count += 1;
  const at = new Date(1_700_000_000_000 + count);
  return {
    _id: `id-${String(count).padStart(4, '0')}`,
    apiKeyId: 'ann',
    key: `key-${count}`,
    type: 'factual',
    content,
    sessionId: null,
    metadata: {},
    expiresAt: null,
    createdAt: at,
    updatedAt: at,
    tokens: estimateTokens(content),
    revision: 1,
    contentVersion: 1,
    needsReindex: 0,
    attempts: 0,
    retryAt: null,
    vectorModel: null,
    externalStale: 0,
    archived: false,
    archivedAt: null,
    supersededBy: null,
    summaryOf: null,
    ...fields,
  };
}

const LONG =
  'The user asked about the train to Busan. It leaves at nine in the morning and takes about three hours, which was fine for everyone.';

test('entries of two owners or two sessions never share a group, and one entry alone makes none', () => {
  const groups = groupOriginals([
    original('a'),
    original('b'),
    original('c', { apiKeyId: 'bob' }),
    original('d', { apiKeyId: null }),
    original('e', { sessionId: 's1' }),
    original('f', { sessionId: 's1' }),
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

test('a summary keeps the first sentences, oldest first, and knows what it saves', () => {
  const [group] = groupOriginals([
    original(LONG),
    original('She moved to Seoul in May. Her flat has a view of the river and two cats.'),
  ]);
  assert.ok(group);
  const plan = planSummary(group, () => null);
  assert.equal(plan?.content, 'The user asked about the train to Busan.\nShe moved to Seoul in May.');
  assert.ok(plan.tokensAfter < plan.tokensBefore);
  assert.equal(plan.tokensAfter, estimateTokens(plan.content));
});

test('of entries that say the same the newest stays: by their words, or by their vectors', () => {
  const twice = groupOriginals([original('likes green tea'), original('Likes green tea!')])[0];
  assert.ok(twice);
  assert.equal(planSummary(twice, () => null)?.content, 'Likes green tea!');
  const alike = groupOriginals([original('prefers sencha'), original('green tea is best')])[0];
  assert.ok(alike);
  assert.equal(planSummary(alike, () => 0.93)?.content, 'green tea is best');
  assert.equal(
    planSummary(alike, () => 0.92),
    null,
  );
});

test('a group that would not shrink is left alone', () => {
  const [group] = groupOriginals([original('short one'), original('other words')]);
  assert.ok(group);
  assert.equal(
    planSummary(group, () => null),
    null,
  );
});

test('the plan depends on nothing but the entries: in any order it is the same', () => {
  const entries = [original(LONG), original(LONG), original('x')];
  const plan = (list: Original[]) => groupOriginals(list).map((group) => planSummary(group, () => null));
  assert.deepEqual(plan(entries), plan(entries.toReversed()));
});
