import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { STORAGE } from 'plugboard/sdk';
import type { EntryDocument } from '../../../../plugins/memory/engine/entries/document.js';
import { eventually } from '../../../support/eventually.js';
import { eachStore } from '../../../support/stores.js';
import {
  memoryServer,
  settled,
  testClock,
  type Answer,
  type MemoryServer,
  type Method,
} from '../support/memory-server.js';
import { condense, EMBED, fakeModels, upstreamError } from '../support/models.js';

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

/** Near-duplicates, one after another: the last one stays when they fold. */
async function rememberAlike(
  memory: MemoryServer,
  clock: { advance(milliseconds: number): void },
  keys: readonly string[],
  fields: object = {},
): Promise<void> {
  for (const key of keys) {
    await memory.call('POST', '/api/memory', { key, content: 'likes green tea', ...fields });
    clock.advance(1);
  }
}

/** The server, without what the test before left. */
async function emptied(memory: MemoryServer): Promise<MemoryServer> {
  await Promise.all((await all(memory)).map(({ id }) => memory.call('DELETE', `/api/memory/${id}`)));
  return memory;
}

eachStore('summarize', (store) => {
  const clock = testClock();
  let plain: MemoryServer;
  /** On which a model writes the summaries. */
  let writing: MemoryServer;

  before(async () => {
    const models = fakeModels();
    models.reply = condense;
    const config = { summaryModel: 'up/chat' };
    plain = await memoryServer({ storage: await store.fresh(), clock });
    writing = await memoryServer({ storage: await store.fresh(), clock, models, config });
  });
  after(async () => {
    await plain[Symbol.asyncDispose]();
    await writing[Symbol.asyncDispose]();
  });

  test('without a model nothing is shortened: near-duplicates fold into one that says all of it, and come back', async () => {
    const memory = await emptied(plain);
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

  test('near-duplicates of many sessions are folded together, and each comes back alone', async () => {
    const memory = await emptied(plain);
    const sessions = Array.from({ length: 60 }, (_, at) => `s${at}`);
    for (const sessionId of sessions)
      await rememberAlike(memory, clock, [`${sessionId}-a`, `${sessionId}-b`], { sessionId });
    clock.advance(31 * DAY);
    assert.equal((await memory.call('POST', '/api/memory/summarize')).body.candidates, 60);
    const left = await all(memory);
    assert.deepEqual(new Set(left.map(({ key }) => key)), new Set(sessions.map((session) => `${session}-b`)));
    const { id } = left.find(({ key }) => key === 's7-b');
    assert.deepEqual((await memory.call('POST', `/api/memory/${id}/restore`)).body, { restored: 1, kept: 0 });
    assert.deepEqual(
      (await memory.call('GET', '/api/memory?sessionId=s7')).body.data.map(({ key }: Answer) => key),
      ['s7-b', 's7-a'],
    );
    assert.equal((await all(memory)).length, 61);
  });

  test('deleting an entry deletes what was folded into it', async () => {
    const memory = await emptied(plain);
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
    const memory = await emptied(writing);
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
    const memory = await emptied(writing);
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
    const memory = await emptied(writing);
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
    const memory = await emptied(writing);
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
    models.reply = condense;
    const [summary = '', ...others] = await summarized('ann');
    assert.match(summary, /^The (budget|roadmap) was discussed\. .*\nThe (budget|roadmap) was discussed\. /);
    assert.deepEqual(others, []);
    assert.equal(models.chats[0]?.model, 'up/chat');
    const whole = ['budget', 'roadmap'].map((key) => `The ${key} was discussed. ${rambling(key)}`);
    models.reply = rambling('x').repeat(10);
    assert.deepEqual(await summarized('bob'), whole);
    models.before = () => Promise.reject(upstreamError(500));
    assert.deepEqual(await summarized('cid'), whole);
  });

  test('what is changed or deleted while the model writes is in no summary', async () => {
    const models = fakeModels();
    await using memory = await memoryServer({
      storage: await store.fresh(),
      clock,
      models,
      config: { summaryModel: 'up/chat' },
    });
    models.reply = condense;
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

  test('deleting a summary deletes the entries that it sums up', async () => {
    const memory = await emptied(writing);
    await remember(memory, ['budget', 'roadmap']);
    clock.advance(31 * DAY);
    await memory.call('POST', '/api/memory/summarize');
    const [summary] = await all(memory);
    await memory.call('DELETE', `/api/memory/${summary.id}`);
    const stored = memory.server.service(STORAGE, 'memory').collection({ name: 'entries' });
    assert.equal(await stored.countDocuments({}), 0);
  });

  test('what was folded into an entry comes back when that entry says something else, by PUT or by POST, and stays otherwise', async () => {
    const memory = await emptied(plain);
    const tea = 'Ann likes green tea';
    const owners = [
      'put',
      'post',
      'session',
      'expiry',
      'type',
      'metadata',
      'same',
      'key',
      'again',
      'more',
      'taken',
    ] as const;
    await Promise.all(
      owners.map((apiKeyId) =>
        rememberAlike(memory, clock, ['a', 'b'], { content: tea, apiKeyId, metadata: { of: 'tea' } }),
      ),
    );
    clock.advance(31 * DAY);
    assert.equal((await memory.call('POST', '/api/memory/summarize')).body.candidates, owners.length);
    const of = async (owner: string): Promise<Answer[]> =>
      (await memory.call('GET', `/api/memory?apiKeyId=${owner}`)).body.data;
    /** The contents by key after a write to the one entry that is left. */
    const after = async (owner: string, write: (kept: Answer) => [Method, string, object]) => {
      const [kept] = await of(owner);
      assert.equal(kept.standsFor, 1);
      const [method, path, body] = write(kept);
      const answer = await memory.call(method, path, body);
      assert.equal(answer.status, 200);
      assert.equal(answer.body.id, kept.id);
      const left = await of(owner);
      return Object.fromEntries(left.map(({ key, content, standsFor }) => [key, [content, standsFor]]));
    };
    const put = (body: object) => (kept: Answer) =>
      ['PUT', `/api/memory/${kept.id}`, body] as [Method, string, object];
    const post = (body: object) => (kept: Answer) =>
      ['POST', '/api/memory', { key: kept.key, apiKeyId: kept.apiKeyId, content: tea, ...body }] as [
        Method,
        string,
        object,
      ];
    const coffee = { content: 'Ann likes coffee' };
    const both = { a: [tea, 0], b: [tea, 0] };
    assert.deepEqual(await after('put', put(coffee)), { a: [tea, 0], b: [coffee.content, 0] });
    assert.deepEqual(await after('post', post(coffee)), { a: [tea, 0], b: [coffee.content, 0] });
    assert.deepEqual(await after('session', post({ sessionId: 's' })), both);
    assert.deepEqual(await after('expiry', post({ expiresAt: '2090-01-01T00:00:00Z' })), both);
    assert.deepEqual(await after('type', put({ type: 'procedural' })), both);
    assert.deepEqual(await after('metadata', put({ metadata: {} })), both);
    assert.deepEqual(await after('same', put({ content: tea })), { b: [tea, 1] });
    assert.deepEqual(await after('key', put({ key: 'c' })), { c: [tea, 1] });
    assert.deepEqual(await after('again', post({})), { b: [tea, 1] });
    assert.deepEqual(await after('more', post({ metadata: { seen: 2 } })), { b: [tea, 1] });
    // Whoever used the key meanwhile keeps it, and the archived state stays restorable.
    await memory.call('POST', '/api/memory', { key: 'a', apiKeyId: 'taken', content: 'new' });
    const [b] = (await of('taken')).filter(({ key }) => key === 'b');
    await memory.call('PUT', `/api/memory/${b.id}`, coffee);
    assert.deepEqual((await memory.call('POST', `/api/memory/${b.id}/restore`)).body, {
      restored: 0,
      kept: 1,
    });
    const found = await memory.call('POST', '/api/memory/retrieve-preview', {
      query: 'green tea',
      apiKeyId: 'put',
    });
    assert.deepEqual(found.body.memories[0].key, 'a');
    assert.equal(found.body.memories[0].vecScore > 0.5, true);
  });

  test('a change that is refused brings nothing back', async () => {
    const memory = await emptied(plain);
    await rememberAlike(memory, clock, ['a', 'b']);
    clock.advance(31 * DAY);
    await memory.call('POST', '/api/memory/summarize');
    const before = await all(memory);
    const [kept] = before;
    const refused = await memory.call('PUT', `/api/memory/${kept.id}`, { key: 'a', content: 'likes milk' });
    assert.deepEqual([refused.status, refused.body.error.param], [409, 'key']);
    assert.deepEqual(await all(memory), before);
  });

  test('writes at once to an entry that others were folded into bring them back once', async () => {
    const memory = await emptied(plain);
    await rememberAlike(memory, clock, ['a', 'b', 'c']);
    clock.advance(31 * DAY);
    assert.equal((await memory.call('POST', '/api/memory/summarize')).body.candidates, 2);
    const [kept] = await all(memory);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        at % 2 === 0
          ? memory.call('PUT', `/api/memory/${kept.id}`, { content: `likes milk ${at}` })
          : memory.call('POST', '/api/memory', { key: kept.key, content: `likes milk ${at}` }),
      ),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array.from({ length: 8 }, () => 200),
    );
    const left = await all(memory);
    assert.deepEqual(left.map(({ key }) => key).sort(), ['a', 'b', 'c']);
    assert.equal(left.filter(({ content }) => content === 'likes green tea').length, 2);
  });

  test('a summary whose text is changed is an entry like others, and what it stood for is back', async () => {
    const memory = await emptied(writing);
    await remember(memory, ['budget', 'roadmap']);
    const before = await all(memory);
    clock.advance(31 * DAY);
    await memory.call('POST', '/api/memory/summarize');
    const [summary] = await all(memory);
    assert.equal(summary.standsFor, 2);
    const tagged = await memory.call('PUT', `/api/memory/${summary.id}`, { metadata: { good: true } });
    assert.equal(tagged.body.standsFor, 2);
    const changed = await memory.call('PUT', `/api/memory/${summary.id}`, { content: 'It was settled.' });
    assert.equal(changed.body.standsFor, 0);
    const left = await all(memory);
    assert.deepEqual(new Set(left.filter(({ id }) => id !== summary.id)), new Set(before));
    assert.deepEqual((await memory.call('POST', `/api/memory/${summary.id}/restore`)).body, {
      restored: 0,
      kept: 0,
    });
    assert.equal((await all(memory)).length, 3);
  });

  test('a summary whose originals are past their recovery time stays when it is restored', async () => {
    const memory = await emptied(writing);
    await remember(memory, ['budget', 'roadmap']);
    clock.advance(31 * DAY);
    await memory.call('POST', '/api/memory/summarize');
    const [summary] = await all(memory);
    const stored = memory.server.service(STORAGE, 'memory').collection<EntryDocument>({ name: 'entries' });
    await stored.deleteMany({ archived: true });
    assert.deepEqual((await memory.call('POST', `/api/memory/${summary.id}/restore`)).body, {
      restored: 0,
      kept: 0,
    });
    assert.deepEqual(
      (await all(memory)).map(({ id }) => id),
      [summary.id],
    );
  });

  test('deleting an entry deletes what was folded into the entries that were folded into it', async () => {
    const memory = await emptied(plain);
    await rememberAlike(memory, clock, ['a', 'b']);
    clock.advance(31 * DAY);
    await memory.call('POST', '/api/memory/summarize');
    await memory.call('POST', '/api/memory', { key: 'c', content: 'likes green tea, too' });
    clock.advance(31 * DAY);
    assert.equal((await memory.call('POST', '/api/memory/summarize')).body.candidates, 1);
    const [kept] = await all(memory);
    assert.deepEqual([kept.key, kept.standsFor], ['c', 1]);
    await memory.call('DELETE', `/api/memory/${kept.id}`);
    const stored = memory.server.service(STORAGE, 'memory').collection({ name: 'entries' });
    assert.equal(await stored.countDocuments({}), 0);
  });

  test('an import of what was exported before the folding brings the entries back as they were', async () => {
    const memory = await emptied(plain);
    await rememberAlike(memory, clock, ['a', 'b']);
    const before = await all(memory);
    const exported = await memory.server.command(['memory', 'export']);
    clock.advance(31 * DAY);
    await memory.call('POST', '/api/memory/summarize');
    const folded = await memory.server.command(['memory', 'export']);
    // What it says is the same: the entry goes on standing for the other one.
    assert.equal((await memory.server.command(['memory', 'import', '-'], folded.stdout)).code, 0);
    assert.equal((await all(memory))[0].standsFor, 1);
    const imported = await memory.server.command(['memory', 'import', '-'], exported.stdout);
    assert.deepEqual([imported.code, imported.stderr], [0, 'imported 2 memories\n']);
    const ids = (entries: Answer[]) =>
      new Set(entries.map(({ id, key, createdAt }) => [id, key, createdAt].join()));
    assert.deepEqual(ids(await all(memory)), ids(before));
    // An id that names another memory by now is left to that one.
    const [entry] = await all(memory);
    await memory.call('PUT', `/api/memory/${entry.id}`, { key: 'renamed' });
    assert.equal((await memory.server.command(['memory', 'import', '-'], exported.stdout)).code, 0);
    assert.deepEqual((await all(memory)).map(({ key }) => key).sort(), ['a', 'b', 'renamed']);
  });

  test('what is restored after all vectors were made again gets one of then', async () => {
    const models = fakeModels();
    await using memory = await memoryServer({ storage: await store.fresh(), clock, models });
    await memory.call('PUT', '/api/settings/memory', {
      embeddingSource: 'remote',
      embeddingProviderModel: EMBED,
    });
    await rememberAlike(memory, clock, ['a']);
    await rememberAlike(memory, clock, ['b'], { content: 'she likes green tea' });
    await settled(memory);
    clock.advance(31 * DAY);
    await memory.call('POST', '/api/memory/summarize');
    const [kept] = await all(memory);
    await memory.call('POST', '/api/memory/reindex', { force: true });
    const stored = memory.server.service(STORAGE, 'memory').collection<EntryDocument>({ name: 'entries' });
    await eventually(
      async () => (await stored.countDocuments({ archived: true, vectorModel: null })) === 1,
      'the archived vector is given up',
    );
    await settled(memory);
    const calls = models.embedded.length;
    await memory.call('POST', `/api/memory/${kept.id}/restore`);
    await settled(memory);
    assert.deepEqual(models.embedded.slice(calls), [['likes green tea']]);
  });
});
