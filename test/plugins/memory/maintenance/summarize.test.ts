import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STORAGE, type Clock } from 'plugboard/sdk';
import { eachStore, type StoreConfig } from '../../../support/stores.js';
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

/** A server on which a model writes the summaries. */
async function withModel(storage: StoreConfig, clock: Clock): Promise<MemoryServer> {
  const models = fakeModels();
  models.reply = 'It was all discussed.';
  return memoryServer({ storage, clock, models, config: { summaryModel: 'up/chat' } });
}

eachStore('summarize', (store) => {
  test('without a model nothing is shortened: near-duplicates fold into one that says all of it, and come back', async () => {
    const clock = testClock();
    await using memory = await memoryServer({ storage: await store.fresh(), clock });
    const contents = {
      a: 'Ann is allergic to peanuts. She carries a pen with her. It is in the red bag.',
      b: 'Ann is allergic to peanuts. She carries a pen with her. It is in the red bag, always.',
      c: 'The meeting moved to Friday. Bring the contract. Ask for Mr. Olsen at the desk.',
      d: 'The meeting moved to Monday. Bring the contract. Ask for Mr. Olsen at the desk.',
    };
    for (const [key, content] of Object.entries(contents))
      await memory.call('POST', '/api/memory', { key, content });
    const before = await all(memory);
    clock.advance(31 * DAY);
    const dry = (await memory.call('POST', '/api/memory/summarize', { dryRun: true })).body;
    assert.deepEqual(
      dry.plans.map((plan: Answer) => [plan.content, plan.standsFor.map(({ content }: Answer) => content)]),
      [[contents.b, [contents.a]]],
    );
    assert.deepEqual(await all(memory), before);
    const { body } = await memory.call('POST', '/api/memory/summarize');
    assert.deepEqual(body, { candidates: 1, tokensSaved: dry.tokensSaved, dryRun: false });
    const left = await all(memory);
    assert.deepEqual(
      new Set(left.map(({ content }) => content)),
      new Set([contents.b, contents.c, contents.d]),
    );
    assert.deepEqual((await memory.call('POST', '/api/memory/summarize')).body.candidates, 0);
    const { id } = left.find(({ key }) => key === 'b');
    assert.deepEqual((await memory.call('POST', `/api/memory/${id}/restore`)).body, { restored: 1, kept: 0 });
    assert.deepEqual(await all(memory), before);
  });

  test('deleting an entry deletes what was folded into it', async () => {
    const clock = testClock();
    await using memory = await memoryServer({ storage: await store.fresh(), clock });
    for (const key of ['a', 'b'])
      await memory.call('POST', '/api/memory', { key, content: 'Ann likes green tea' });
    clock.advance(31 * DAY);
    assert.equal((await memory.call('POST', '/api/memory/summarize')).body.candidates, 1);
    const [kept] = await all(memory);
    await memory.call('DELETE', `/api/memory/${kept.id}`);
    const stored = memory.server.service(STORAGE, 'memory').collection({ name: 'entries' });
    assert.equal(await stored.countDocuments({}), 0);
  });

  test('folds the old entries of each owner and session into one, and a dry run tells the same and changes nothing', async () => {
    const clock = testClock();
    await using memory = await withModel(await store.fresh(), clock);
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
    const { plans, ...counted } = dry;
    assert.equal(plans.length, 3);
    assert.deepEqual(body, { ...counted, dryRun: false });
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
    assert.deepEqual(after.length, before.length - 7 + 3);
    assert.equal(await tokens(memory), tokensBefore - body.tokensSaved);
    const found = await memory.call('POST', '/api/memory/retrieve-preview', {
      query: 'roadmap',
      apiKeyId: 'ann',
      strategy: 'exact',
    });
    assert.deepEqual(found.body.memories, []);
    assert.deepEqual((await memory.call('POST', '/api/memory/summarize')).body, {
      candidates: 0,
      tokensSaved: 0,
      dryRun: false,
    });
  });

  test('one owner alone is summed up when one is named', async () => {
    const clock = testClock();
    await using memory = await withModel(await store.fresh(), clock);
    for (const apiKeyId of ['ann', 'bob']) await remember(memory, ['a', 'b'], { apiKeyId });
    clock.advance(2 * DAY);
    const body = { olderThanDays: 1, apiKeyId: 'ann' };
    assert.equal((await memory.call('POST', '/api/memory/summarize', body)).body.candidates, 2);
    assert.equal((await memory.call('GET', '/api/memory?apiKeyId=bob')).body.total, 2);
    const long = await memory.call('POST', '/api/memory/summarize', { apiKeyId: 'x'.repeat(70_000) });
    assert.deepEqual([long.status, long.body.error.param], [400, 'apiKeyId']);
    const { stdout } = await memory.server.command(['jobs', '--json']);
    assert.match(stdout, /"summarize"/);
  });

  test('what was folded can be restored whole, until its recovery time is over', async () => {
    const clock = testClock();
    await using memory = await withModel(await store.fresh(), clock);
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
    await using memory = await withModel(await store.fresh(), clock);
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

  test('a model writes the summary when one is configured; when it fails or writes too much, the entries stay as they are', async () => {
    const clock = testClock();
    const models = fakeModels();
    await using memory = await memoryServer({
      storage: await store.fresh(),
      clock,
      models,
      config: { summaryModel: 'up/chat' },
    });
    const summarized = async (owner: string): Promise<string[]> => {
      await remember(memory, ['budget', 'roadmap'], { apiKeyId: owner });
      clock.advance(31 * DAY);
      await memory.call('POST', '/api/memory/summarize', { apiKeyId: owner });
      const { data } = (await memory.call('GET', `/api/memory?apiKeyId=${owner}`)).body as {
        data: { content: string }[];
      };
      return data.map(({ content }) => content).sort();
    };
    models.reply = 'Budget and roadmap were discussed.';
    assert.deepEqual(await summarized('ann'), ['Budget and roadmap were discussed.']);
    assert.equal(models.chats[0]?.model, 'up/chat');
    const whole = ['budget', 'roadmap'].map((key) => `The ${key} was discussed. ${rambling(key)}`);
    models.reply = rambling('x').repeat(10);
    assert.deepEqual(await summarized('bob'), whole);
    models.before = () => Promise.reject(upstreamError(500));
    assert.deepEqual(await summarized('cid'), whole);
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
    await using memory = await withModel(await store.fresh(), clock);
    await remember(memory, ['budget', 'roadmap']);
    clock.advance(31 * DAY);
    await memory.call('POST', '/api/memory/summarize');
    const [summary] = await all(memory);
    await memory.call('DELETE', `/api/memory/${summary.id}`);
    const stored = memory.server.service(STORAGE, 'memory').collection({ name: 'entries' });
    assert.equal(await stored.countDocuments({}), 0);
  });
});
