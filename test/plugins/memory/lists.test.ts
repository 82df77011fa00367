/** Lists: cursors, filters by metadata, and what a request may not ask. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { STORAGE, type Filter } from 'plugboard/sdk';
import { ENTRIES, live, type EntryDocument } from '../../../plugins/memory/engine/entries/document.js';
import { eachStore } from '../../support/stores.js';
import { memoryServer, type Answer, type MemoryServer } from './support/memory-server.js';

eachStore('lists of memories', (store) => {
  let memory: MemoryServer;

  before(async () => {
    memory = await memoryServer({ storage: await store.fresh() });
    for (let at = 0; at < 23; at += 1) {
      const metadata = { team: at % 2 === 0 ? 'red' : 'blue', round: at % 3, 'a.b': true };
      await memory.call('POST', '/api/memory', { key: `k${at}`, content: `Note ${at}`, metadata });
    }
  });
  after(() => memory[Symbol.asyncDispose]());

  test('a cursor walks the list in its order, each entry once', async () => {
    const whole = (await memory.call('GET', '/api/memory?limit=200')).body;
    assert.equal(whole.nextCursor, null);
    const walked: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const place: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { body }: { body: Answer } = await memory.call('GET', `/api/memory?limit=5${place}`);
      assert.equal(body.total, 23);
      walked.push(...body.data.map(({ id }: Answer) => id as string));
      cursor = body.nextCursor;
    }
    assert.deepEqual(
      walked,
      whole.data.map(({ id }: Answer) => id),
    );
  });

  test('a preview takes the same filters by metadata', async () => {
    for (const [metadata, count] of [
      [{ team: 'red' }, 12],
      [{ round: 2, team: 'red' }, 4],
      [{ 'a.b': true }, 23],
      [{ nothing: null }, 0],
    ] as const) {
      for (const strategy of ['exact', 'semantic', 'hybrid']) {
        const { status, body } = await memory.call('POST', '/api/memory/retrieve-preview', {
          query: 'note',
          strategy,
          metadata,
          limit: 100,
        });
        assert.deepEqual([status, body.memories.length], [200, count], strategy);
      }
    }
  });

  test('a filter by metadata follows changes and deletions, and knows long values too', async () => {
    const count = async (owner: string, name: string, value: string): Promise<number[]> => {
      const list = await memory.call('GET', `/api/memory?apiKeyId=${owner}&metadata.${name}=${value}`);
      const preview = await memory.call('POST', '/api/memory/retrieve-preview', {
        query: 'note',
        apiKeyId: owner,
        metadata: { [name]: value },
      });
      return [list.body.total, list.body.data.length, preview.body.memories.length];
    };
    const note = async (apiKeyId: string, metadata: object): Promise<string> =>
      (await memory.call('POST', '/api/memory', { apiKeyId, key: 'k', content: 'A note', metadata })).body.id;
    const id = await note('ann', { place: 'here' });
    await note('bob', { place: 'here' });
    assert.deepEqual(await count('ann', 'place', 'here'), [1, 1, 1]);
    await memory.call('PUT', `/api/memory/${id}`, { metadata: { place: 'there' } });
    assert.deepEqual(await count('ann', 'place', 'here'), [0, 0, 0]);
    assert.deepEqual(await count('ann', 'place', 'there'), [1, 1, 1]);
    const long = 'far'.repeat(100);
    await memory.call('PUT', `/api/memory/${id}`, { metadata: { place: long, other: 1 } });
    assert.deepEqual(await count('ann', 'place', long), [1, 1, 1]);
    assert.deepEqual(await count('ann', 'other', '1'), [1, 1, 1]);
    assert.deepEqual(await count('ann', 'place', 'there'), [0, 0, 0]);
    assert.equal((await memory.call('DELETE', `/api/memory/${id}`)).status, 200);
    assert.deepEqual(await count('ann', 'place', long), [0, 0, 0]);
    assert.deepEqual(await count('bob', 'place', 'here'), [1, 1, 1]);
    await Promise.all(
      (await memory.call('GET', '/api/memory?apiKeyId=bob')).body.data.map((entry: Answer) =>
        memory.call('DELETE', `/api/memory/${entry.id}`),
      ),
    );
  });

  test('pages of a list that is filtered by metadata follow each other by their cursors', async () => {
    const walked: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const place: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const path = `/api/memory?limit=5&metadata.team=red${place}`;
      const { body }: { body: Answer } = await memory.call('GET', path);
      assert.equal(body.total, 12);
      walked.push(...body.data.map(({ key }: Answer) => key as string));
      cursor = body.nextCursor;
    }
    assert.deepEqual(new Set(walked), new Set(Array.from({ length: 12 }, (_, at) => `k${2 * at}`)));
    assert.equal(walked.length, 12);
  });

  for (const [query, count] of [
    ['metadata.team=red', 12],
    ['metadata.round=2', 7],
    ['metadata.round=2&metadata.team=red', 4],
    ['metadata.a.b=true', 23],
    ['metadata.team=green', 0],
    ['metadata.nothing=1', 0],
    ['q=note&metadata.team=blue', 11],
  ] as const) {
    test(`${query} finds ${count}`, async () => {
      const { status, body } = await memory.call('GET', `/api/memory?limit=200&${query}`);
      assert.deepEqual([status, body.total, body.data.length], [200, count, count]);
    });
  }

  for (const [what, method, path, body, param] of [
    ['an unknown parameter', 'GET', '/api/memory?colour=red', undefined, 'colour'],
    ['a cursor from elsewhere', 'GET', '/api/memory?cursor=abc', undefined, 'cursor'],
    ['a cursor with a search', 'GET', '/api/memory?q=note&cursor=WzEsImEiXQ', undefined, 'cursor'],
    ['a blank content', 'POST', '/api/memory', { key: 'k', content: ' \n' }, 'content'],
    [
      'an expiry that has passed',
      'POST',
      '/api/memory',
      { key: 'k', content: 'c', expiresAt: '2020-01-01T00:00:00Z' },
      'expiresAt',
    ],
    ['an empty end user', 'POST', '/api/memory', { key: 'k', content: 'c', userId: '' }, 'userId'],
  ] as const) {
    test(`${what} is a 400 that names the parameter`, async () => {
      const answer = await memory.call('GET' === method ? 'GET' : 'POST', path, body);
      assert.equal(answer.status, 400, JSON.stringify(answer.body));
      assert.equal(answer.body.error.param, param);
    });
  }

  test('lists of a session and of a type read an index in their order, and no more than a page', async () => {
    const stored = memory.server.service(STORAGE, 'memory').collection<EntryDocument>(ENTRIES);
    const sort = { createdAt: -1, _id: 1 } as const;
    for (const filter of [
      { sessionId: 's' },
      { type: 'procedural' },
      { apiKeyId: 'ann', type: 'procedural' },
    ]) {
      const plan = await stored.explain({ ...filter, ...live(Date.now()) } as Filter<EntryDocument>, {
        sort,
      });
      assert.deepEqual([plan.access, plan.sort], ['index', 'index'], JSON.stringify(filter));
      assert.match(plan.index ?? '', /sessionId|type|apiKeyId/);
    }
  });
});
