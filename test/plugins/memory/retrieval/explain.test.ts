/** Why an entry is not recalled: the server says it of any entry, whatever left it out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryServer, settled } from '../support/memory-server.js';

interface Explained {
  readonly id: string;
  readonly reason: string;
  readonly rank: number | null;
  readonly relevance: number | null;
  readonly vecScore: number | null;
  readonly by: string | null;
}

test('each filter, limit and state that leaves an entry out is named, with its rank and scores', async () => {
  await using memory = await memoryServer();
  const store = async (content: string, members: object = {}): Promise<string> =>
    (await memory.call('POST', '/api/memory', { key: content, content, ...members })).body.id as string;
  const explain = async (ids: readonly string[], options: object = {}): Promise<Explained[]> => {
    const query = { query: 'When does the ferry to the island leave?', explain: ids, ...options };
    const { status, body } = await memory.call('POST', '/api/memory/retrieve-preview', query);
    assert.equal(status, 200, JSON.stringify(body));
    return body.explained as Explained[];
  };
  const reasons = async (ids: readonly string[], options?: object): Promise<string[]> =>
    (await explain(ids, options)).map(({ reason }) => reason);

  const best = await store('The ferry to the island leaves at seven in the morning', {
    metadata: { topic: 'travel' },
  });
  const second = await store('The ferry was late in March');
  const other = await store('Zebras sleep standing');
  const owned = await store('The ferry of another tenant', { apiKeyId: 'k1' });
  const personal = await store('The ferry that ann takes', { userId: 'ann' });
  const session = await store('The ferry in a session', { sessionId: 's1', type: 'episodic' });
  const old = await store('The ferry leaves at six', { validUntil: '2026-01-01T00:00:00Z' });
  const later = await store('The ferry leaves at nine', { validFrom: '2999-01-01T00:00:00Z' });
  const replaced = await store('The ferry pier is in the north');
  const successor = await store('The ferry pier is in the south', { supersedes: replaced });

  await settled(memory);
  const [first, next] = await explain([best, second]);
  assert.deepEqual([first?.reason, first?.rank, next?.reason], ['recalled', 1, 'recalled']);
  assert.ok((first?.relevance ?? 0) > (next?.relevance ?? 1) && first?.vecScore !== null);
  assert.deepEqual(await reasons([owned, personal, old, later, 'none']), [
    'other_owner',
    'other_user',
    'ended',
    'not_yet',
    'unknown',
  ]);
  const [gone] = await explain([replaced]);
  assert.deepEqual([gone?.reason, gone?.by], ['superseded', successor]);
  assert.deepEqual(await reasons([best, session], { sessionId: 's1' }), ['other_session', 'recalled']);
  assert.deepEqual(await reasons([best, session], { type: 'episodic' }), ['other_type', 'recalled']);
  assert.deepEqual(await reasons([best, second], { metadata: { topic: 'travel' } }), [
    'recalled',
    'metadata',
  ]);
  assert.deepEqual(await reasons([best, second], { limit: 1 }), ['recalled', 'limit']);
  assert.deepEqual(await reasons([best, second], { minScore: 0.9 }), ['recalled', 'min_score']);
  assert.deepEqual(await reasons([best, second], { maxTokens: 12 }), ['recalled', 'tokens']);
  assert.deepEqual(await reasons([best, other], { strategy: 'exact' }), ['recalled', 'unlike']);
});

test('a key learns nothing of the entries of others, and the answer is that of a preview without it', async () => {
  await using memory = await memoryServer();
  const query = { query: 'Where is the ferry?' };
  const { body: entry } = await memory.call('POST', '/api/memory', {
    key: 'a',
    content: 'The ferry is here',
    apiKeyId: 'k1',
  });
  await memory.call('POST', '/api/memory', { key: 'b', content: 'The ferry is there' });
  const { body: plain } = await memory.call('POST', '/api/memory/retrieve-preview', query);
  const { body: also } = await memory.call('POST', '/api/memory/retrieve-preview', {
    ...query,
    explain: [entry.id],
  });
  const { explained, ...rest } = also;
  assert.deepEqual(rest, plain);
  assert.equal((explained as Explained[])[0]?.reason, 'other_owner');
  const headers = { authorization: `Bearer ${await memory.server.key('memory')}` };
  const payload = { ...query, explain: [entry.id] };
  const answer = await memory.server.inject({
    method: 'POST',
    url: '/api/memory/retrieve-preview',
    headers,
    payload,
  });
  assert.deepEqual(answer.json<{ explained: Explained[] }>().explained, [
    {
      id: entry.id,
      reason: 'unknown',
      by: null,
      rank: null,
      score: null,
      relevance: null,
      vecScore: null,
      ftsScore: null,
      tokens: null,
    },
  ]);
  const many = { ...payload, explain: Array.from({ length: 51 }, String) };
  const refused = await memory.call('POST', '/api/memory/retrieve-preview', many);
  assert.equal(refused.status, 400);
});
