import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STORAGE } from 'plugboard/sdk';
import { eachStore } from '../../../support/stores.js';
import { memoryServer, testClock, type Answer, type MemoryServer } from '../support/memory-server.js';
import { fakeModels, upstreamError } from '../support/models.js';

const DAY = 86_400_000;
/** Words that no other entry has, so that none is taken for a near duplicate. */
const rambling = (key: string): string =>
  `It went on: ${Array.from({ length: 20 }, (_, at) => `${key}${String.fromCharCode(97 + at)}`).join(' ')}.`;

async function remember(
  memory: MemoryServer,
  keys: readonly string[],
  fields: object = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (const key of keys) {
    ids.push(
      (
        await memory.call('POST', '/api/memory', {
          key,
          content: `The ${key} was discussed. ${rambling(key)}`,
          ...fields,
        })
      ).body.id,
    );
  }
  return ids;
}

const all = async (memory: MemoryServer): Promise<Answer[]> =>
  (await memory.call('GET', '/api/memory?limit=200')).body.data;
const tokens = async (memory: MemoryServer): Promise<number> =>
  (await memory.call('GET', '/api/memory')).body.stats.tokensUsed;

eachStore('summarize', (store) => {
  test('folds the old entries of each owner and session into one, and a dry run tells the same and changes nothing', async () => {
    const clock = testClock();
    await using memory = await memoryServer({ storage: await store.fresh(), clock });
    await remember(memory, ['budget', 'roadmap', 'hiring'], { apiKeyId: 'ann', sessionId: 's1' });
    await remember(memory, ['cats', 'dogs'], { apiKeyId: 'ann', sessionId: 's2' });
    await remember(memory, ['trains', 'planes'], { apiKeyId: 'bob' });
    await remember(memory, ['alone'], { apiKeyId: 'cid' });
    await remember(memory, ['brief', 'short'], {
      apiKeyId: 'dan',
      expiresAt: new Date(clock.now() + 300 * DAY).toISOString(),
    });
    clock.advance(30 * DAY + 1);
    await remember(memory, ['fresh'], { apiKeyId: 'ann', sessionId: 's1' });
    const before = await all(memory);
    const tokensBefore = await tokens(memory);

    const dry = (await memory.call('POST', '/api/memory/summarize', { dryRun: true })).body;
    assert.deepEqual([dry.candidates, dry.dryRun], [7, true]);
    assert.ok(dry.tokensSaved > 0);
    assert.deepEqual(await all(memory), before);

    const { body } = await memory.call('POST', '/api/memory/summarize');
    assert.deepEqual(body, { ...dry, dryRun: false });
    const after = await all(memory);
    const summaries = after.filter(({ key }) => key.startsWith('summary:'));
    assert.deepEqual(
      summaries
        .map(({ apiKeyId, sessionId, type, metadata }) => [apiKeyId, sessionId, type, metadata.summaryOf])
        .sort((a, b) => String(a).localeCompare(String(b))),
      [
        ['ann', 's1', 'semantic', 3],
        ['ann', 's2', 'semantic', 2],
        ['bob', null, 'semantic', 2],
      ],
    );
    for (const { apiKeyId, content } of summaries)
      assert.doesNotMatch(content, apiKeyId === 'ann' ? /trains/ : /budget|cats/);
    assert.deepEqual(after.length, before.length - 7 + 3);
    assert.equal(await tokens(memory), tokensBefore - body.tokensSaved);
    const found = await memory.call('POST', '/api/memory/retrieve-preview', {
      query: 'roadmap',
      apiKeyId: 'ann',
      strategy: 'exact',
    });
    assert.deepEqual(
      found.body.memories.map(({ key }: Answer) => key.startsWith('summary:')),
      [true],
    );
    assert.deepEqual((await memory.call('POST', '/api/memory/summarize')).body, {
      candidates: 0,
      tokensSaved: 0,
      dryRun: false,
    });
  });

  test('one owner alone is summed up when one is named', async () => {
    const clock = testClock();
    await using memory = await memoryServer({ storage: await store.fresh(), clock });
    for (const apiKeyId of ['ann', 'bob']) await remember(memory, ['a', 'b'], { apiKeyId });
    clock.advance(2 * DAY);
    const body = { olderThanDays: 1, apiKeyId: 'ann' };
    assert.equal((await memory.call('POST', '/api/memory/summarize', body)).body.candidates, 2);
    assert.equal((await memory.call('GET', '/api/memory?apiKeyId=bob')).body.total, 2);
  });

  test('what was folded can be restored whole, until its recovery time is over', async () => {
    const clock = testClock();
    await using memory = await memoryServer({ storage: await store.fresh(), clock });
    await remember(memory, ['budget', 'roadmap'], { metadata: { a: 1 } });
    const before = await all(memory);
    clock.advance(31 * DAY);
    await memory.call('POST', '/api/memory/summarize');
    const [summary] = await all(memory);
    assert.equal((await memory.call('GET', `/api/memory/${before[0].id}`)).status, 404);
    const restored = await memory.server.command(['memory', 'restore', summary.id]);
    assert.deepEqual([restored.code, restored.stdout], [0, 'restored 2\n']);
    assert.deepEqual(await all(memory), before);
    const unknown = await memory.server.command(['memory', 'restore', summary.id]);
    assert.deepEqual([unknown.code, unknown.stderr], [2, `there is no memory "${summary.id}"\n`]);
  });

  test('a key that was taken in the meantime keeps its entry; the archived one stays where it is', async () => {
    const clock = testClock();
    await using memory = await memoryServer({ storage: await store.fresh(), clock });
    await remember(memory, ['budget', 'roadmap']);
    clock.advance(31 * DAY);
    await memory.call('POST', '/api/memory/summarize');
    const [summary] = await all(memory);
    assert.equal((await memory.call('POST', '/api/memory', { key: 'budget', content: 'new' })).status, 201);
    const { stdout } = await memory.server.command(['memory', 'restore', summary.id]);
    assert.match(stdout, /^restored 1\n1 stay archived/);
    assert.deepEqual(
      new Set((await all(memory)).map(({ key }) => key)),
      new Set(['budget', 'roadmap', summary.key]),
    );
  });

  test('a model writes the summary when one is configured; when it fails or writes too much, extracts take its place', async () => {
    const clock = testClock();
    const models = fakeModels();
    await using memory = await memoryServer({
      storage: await store.fresh(),
      clock,
      models,
      config: { summaryModel: 'up/chat' },
    });
    const summarized = async (owner: string): Promise<string> => {
      await remember(memory, ['budget', 'roadmap'], { apiKeyId: owner });
      clock.advance(31 * DAY);
      await memory.call('POST', '/api/memory/summarize', { apiKeyId: owner });
      const { content } = (await memory.call('GET', `/api/memory?apiKeyId=${owner}`)).body.data[0] as {
        content: string;
      };
      return content.split('\n').sort().join('\n');
    };
    models.reply = 'Budget and roadmap were discussed.';
    assert.equal(await summarized('ann'), 'Budget and roadmap were discussed.');
    assert.equal(models.chats[0]?.model, 'up/chat');
    const extracts = 'The budget was discussed.\nThe roadmap was discussed.';
    models.reply = rambling('x').repeat(10);
    assert.equal(await summarized('bob'), extracts);
    models.before = () => Promise.reject(upstreamError(500));
    assert.equal(await summarized('cid'), extracts);
  });

  test('what is changed or deleted while the model writes stands in no summary', async () => {
    const clock = testClock();
    const models = fakeModels();
    await using memory = await memoryServer({
      storage: await store.fresh(),
      clock,
      models,
      config: { summaryModel: 'up/chat' },
    });
    models.reply = 'Budget and roadmap.';
    for (const apiKeyId of ['ann', 'bob', 'cid']) await remember(memory, ['budget', 'roadmap'], { apiKeyId });
    const idOf = async (owner: string): Promise<string> =>
      (await memory.call('GET', `/api/memory?apiKeyId=${owner}`)).body.data[0].id;
    const [ann, bob] = [await idOf('ann'), await idOf('bob')];
    clock.advance(31 * DAY);
    models.before = async () => {
      await memory.call('DELETE', `/api/memory/${ann}`);
      await memory.call('PUT', `/api/memory/${bob}`, { content: 'another' });
    };
    const { body } = await memory.call('POST', '/api/memory/summarize');
    assert.equal(body.candidates, 2);
    const summaries = (await all(memory)).filter(({ key }) => key.startsWith('summary:'));
    assert.deepEqual(
      summaries.map(({ apiKeyId }) => apiKeyId),
      ['cid'],
    );
    assert.equal((await all(memory)).length, 4);
  });

  test('a summary that is deleted takes with it what it stands for', async () => {
    const clock = testClock();
    await using memory = await memoryServer({ storage: await store.fresh(), clock });
    await remember(memory, ['budget', 'roadmap']);
    clock.advance(31 * DAY);
    await memory.call('POST', '/api/memory/summarize');
    const [summary] = await all(memory);
    await memory.call('DELETE', `/api/memory/${summary.id}`);
    const stored = memory.server.service(STORAGE, 'memory').collection({ name: 'entries' });
    assert.equal(await stored.countDocuments({}), 0);
  });
});
