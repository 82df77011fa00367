/** Whose memory: end users within a key, by every way in which memories are found. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eachStore } from '../../support/stores.js';
import { memoryServer, type Answer } from './support/memory-server.js';
import { fakeModels } from './support/models.js';

const USERS = ['ann', 'bo'];
const TOPICS = ['asthma', 'violin', 'mortgage'];

eachStore('end users', (store) => {
  test('what carries an end user is found for that one alone, and what carries none for all', async () => {
    await using memory = await memoryServer({ storage: await store.fresh() });
    const entry = fc.record({
      topic: fc.constantFrom(...TOPICS),
      userId: fc.constantFrom(null, ...USERS),
      sessionId: fc.constantFrom(null, 's1'),
      type: fc.constantFrom('factual', 'episodic'),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 8 }), async (entries) => {
        const apiKeyId = `owner-${(run += 1)}`;
        for (const [at, { topic, ...fields }] of entries.entries()) {
          const content = `The ${topic} came up, number ${at}.`;
          const answer = await memory.call('POST', '/api/memory', {
            apiKeyId,
            key: `k${at}`,
            content,
            ...fields,
          });
          assert.equal(answer.status, 201);
        }
        for (const userId of [undefined, ...USERS]) {
          const visible = entries.flatMap((one, at) =>
            one.userId === null || one.userId === userId ? [`k${at}`] : [],
          );
          for (const strategy of ['exact', 'semantic', 'hybrid']) {
            const asked = {
              query: TOPICS.join(' '),
              apiKeyId,
              strategy,
              limit: 100,
              ...(userId && { userId }),
            };
            const { body } = await memory.call('POST', '/api/memory/retrieve-preview', asked);
            const found: string[] = body.memories.map(({ key }: Answer) => key);
            assert.deepEqual(
              found.filter((key) => !visible.includes(key)),
              [],
              strategy,
            );
            if (strategy === 'exact') assert.deepEqual(found.toSorted(), visible.toSorted());
          }
          if (userId === undefined) continue;
          const own = entries.flatMap((one, at) => (one.userId === userId ? [`k${at}`] : []));
          for (const q of ['', '&q=came']) {
            const list: { body: Answer } = await memory.call(
              'GET',
              `/api/memory?apiKeyId=${apiKeyId}&userId=${userId}${q}`,
            );
            assert.deepEqual(list.body.data.map(({ key }: Answer) => key).toSorted(), own.toSorted());
            assert.equal(list.body.total, own.length);
          }
        }
      }),
      { numRuns: 12 },
    );
  });

  test('two end users may have an entry under the same key', async () => {
    await using memory = await memoryServer({ storage: await store.fresh() });
    const put = (userId: string | null, content: string) =>
      memory.call('POST', '/api/memory', { key: 'name', content, userId });
    assert.deepEqual(
      [await put('ann', 'Ann'), await put('bo', 'Bo'), await put(null, 'all'), await put('ann', 'Anna')].map(
        ({ status }) => status,
      ),
      [201, 201, 201, 200],
    );
    const { data } = (await memory.call('GET', '/api/memory')).body;
    assert.deepEqual(new Set(data.map(({ content }: Answer) => content)), new Set(['Anna', 'Bo', 'all']));
  });
});

test("a chat is given what belongs to the end user that its body or its header names, and nobody else's", async () => {
  const models = fakeModels();
  await using memory = await memoryServer({ models });
  const { code, stdout } = await memory.server.command([
    'keys',
    'create',
    'app',
    '--json',
    '--scope',
    'memory',
  ]);
  assert.equal(code, 0);
  const { id } = JSON.parse(stdout) as { id: string };
  const caller = { kind: 'key', id, name: 'app', scopes: ['memory'] } as const;
  for (const [userId, content] of [
    ['ann', 'The diagnosis of Ann is asthma'],
    ['bo', 'The diagnosis of Bo is diabetes'],
    [null, 'A diagnosis is told to nobody'],
  ])
    await memory.call('POST', '/api/memory', { apiKeyId: id, key: `d-${userId}`, content, userId });
  const chat = async (user?: string, headers: Record<string, string> = {}): Promise<string> => {
    const messages = [{ role: 'user', content: 'What was the diagnosis?' }];
    const sent = await models.intercept({ model: 'm', messages, ...(user && { user }) }, caller, headers);
    return JSON.stringify(sent.messages);
  };
  for (const strategy of ['hybrid', 'recent']) {
    await memory.call('PUT', '/api/settings/memory', { strategy });
    const byBody = await chat('ann');
    assert.match(byBody, /asthma/);
    assert.match(byBody, /told to nobody/);
    assert.doesNotMatch(byBody, /diabetes/);
    assert.match(await chat('ann', { 'x-plugboard-user': 'bo' }), /diabetes/);
    assert.doesNotMatch(await chat('ann', { 'x-plugboard-user': 'bo' }), /asthma/);
    const nobody = await chat();
    assert.match(nobody, /told to nobody/);
    assert.doesNotMatch(nobody, /asthma|diabetes/);
  }
});
