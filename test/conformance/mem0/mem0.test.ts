/** Memories through the `mem0ai` package of npm, unmodified: only its host is another. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { bootTest } from 'plugboard/testing';
import memory from '../../../plugins/memory/index.js';

// Both are read when the package is loaded: no call is reported to anybody, and no file is left in a home.
process.env['MEM0_TELEMETRY'] = 'false';
process.env['MEM0_DIR'] = mkdtempSync(join(tmpdir(), 'plugboard-mem0-'));
const { MemoryClient } = await import('mem0ai');
type MemoryClient = InstanceType<typeof MemoryClient>;

async function start(t: TestContext) {
  const server = await bootTest({ plugins: [{ plugin: memory }] });
  t.after(() => server.stop());
  const host = await server.listen();
  const client = async (scope = 'memory'): Promise<MemoryClient> =>
    new MemoryClient({ apiKey: await server.key(scope), host });
  return { server, host, client };
}

/** The ids of what was said, each kept as it was said. */
async function keep(client: MemoryClient, texts: readonly string[], options: object): Promise<string[]> {
  const messages = texts.map((content) => ({ role: 'user' as const, content }));
  await client.add(messages, { ...options, infer: false });
  const { results } = await client.getAll({ filters: filtersOf(options) });
  return texts.map((text) => results.find(({ memory }) => memory === text)?.id ?? '');
}

function filtersOf({ userId, agentId }: { userId?: string; agentId?: string }): Record<string, string> {
  return { ...(userId && { user_id: userId }), ...(agentId && { agent_id: agentId }) };
}

const memories = ({ results }: { results: readonly { memory?: string }[] }): string[] =>
  results.map(({ memory: text = '' }) => text);

/** What its errors are told by. */
const fails = (name: string) => (error: unknown) => error instanceof Error && error.name === name;

test('add, search, getAll, get, update, history and delete', async (t) => {
  const { host, server } = await start(t);
  const client = new MemoryClient({ apiKey: await server.key('memory'), host: `${host}/` });
  await client.ping();
  const messages = [
    { role: 'system' as const, content: 'You are a waiter.' },
    { role: 'user' as const, content: 'I drink green tea in the morning.' },
    { role: 'assistant' as const, content: 'Noted: no milk.' },
  ];
  const added = await client.add(messages as never, {
    userId: 'ann',
    agentId: 'waiter',
    runId: 'monday',
    metadata: { tableNumber: 7, some_tag: true },
    timestamp: 1_700_000_000,
    expirationDate: '2090-06-30',
    infer: false,
  });
  assert.equal((added as { status?: string }).status, 'SUCCEEDED');

  const all = await client.getAll({ filters: { user_id: 'ann' } });
  assert.equal(all.count, 2);
  assert.deepEqual(memories(all), ['Noted: no milk.', 'I drink green tea in the morning.']);
  const found = await client.search('what tea does she drink?', { filters: { user_id: 'ann' } });
  const [best] = found.results;
  assert.equal(best?.memory, 'I drink green tea in the morning.');
  assert.ok(best.score !== undefined && best.score > 0.1 && best.score <= 1, String(best.score));
  assert.deepEqual(best.metadata, { tableNumber: 7, some_tag: true });
  assert.deepEqual(
    [best.userId, best.agentId, best.runId, best.expirationDate],
    ['ann', 'waiter', 'monday', '2090-06-30'],
  );

  const { id } = best;
  await client.update(id, { text: 'I drink black tea.', metadata: { kind: 'black' } });
  const changed = await client.get(id);
  assert.deepEqual(
    [changed.memory, changed.metadata, changed.agentId],
    ['I drink black tea.', { kind: 'black' }, 'waiter'],
  );
  await client.update(id, { expirationDate: null });
  assert.equal((await client.get(id)).expirationDate, null);
  const history = await client.history(id);
  assert.deepEqual(
    history.map(({ event, oldMemory, newMemory, memoryId }) => [event, oldMemory, newMemory, memoryId]),
    [
      ['ADD', null, 'I drink green tea in the morning.', id],
      ['UPDATE', 'I drink green tea in the morning.', 'I drink black tea.', id],
    ],
  );

  await client.delete(id);
  await assert.rejects(client.get(id), fails('MemoryNotFoundError'));
  assert.deepEqual(memories(await client.getAll({ filters: { user_id: 'ann' } })), ['Noted: no milk.']);
});

test('what one key keeps another key neither finds, lists, reads, changes nor deletes', async (t) => {
  const { client } = await start(t);
  const [one, two] = [await client(), await client()];
  const [id = ''] = await keep(one, ['the code is 1234'], { userId: 'ann' });
  const filters = { user_id: 'ann' };
  assert.deepEqual(memories(await two.search('code 1234', { filters, threshold: 0 })), []);
  assert.equal((await two.getAll({ filters })).count, 0);
  for (const call of [
    () => two.get(id),
    () => two.update(id, { text: 'gone' }),
    () => two.delete(id),
    () => two.history(id),
    () => two.batchDelete([id]),
    () => two.feedback({ memoryId: id, feedback: 'POSITIVE' as never }),
  ])
    await assert.rejects(call(), fails('MemoryNotFoundError'));
  await two.deleteAll({ userId: 'ann' });
  await two.deleteUsers({ userId: 'ann' });
  assert.deepEqual((await two.users()).results, []);
  assert.equal((await one.get(id)).memory, 'the code is 1234');
});

test('what is meant by other words is found among a few memories without a threshold, and a higher one narrows', async (t) => {
  const one = await (await start(t)).client();
  const kept = ['My dog is called Rex', 'My rent is 950 euros', 'I live in Lyon', 'I like jazz'];
  await keep(one, kept, { userId: 'ann' });
  const asked = { filters: { user_id: 'ann' } };
  const { results } = await one.search('What is the name of my pet?', asked);
  assert.equal(results[0]?.memory, 'My dog is called Rex');
  const { score = 0 } = results[0];
  assert.ok(score > 0.3 && score < 1, String(score));
  const above = await one.search('What is the name of my pet?', { ...asked, threshold: score });
  assert.deepEqual(memories(above), ['My dog is called Rex']);
  const [home] = (await one.search('Where do I live?', asked)).results;
  assert.deepEqual([home?.memory, home?.score], ['I live in Lyon', 1]);
});

test('users of one key are apart; what carries no user is found for each, and listed and deleted for none', async (t) => {
  const one = await (await start(t)).client();
  await keep(one, ['the cat is called Ann-Marie'], { userId: 'ann' });
  await keep(one, ['the cat is called Bob-Marley'], { userId: 'bob' });
  await keep(one, ['the house rule: cats sleep inside'], { agentId: 'house' });
  const found = await one.search('cat', { filters: { user_id: 'ann' }, threshold: 0 });
  assert.deepEqual(memories(found).sort(), [
    'the cat is called Ann-Marie',
    'the house rule: cats sleep inside',
  ]);
  assert.deepEqual(memories(await one.getAll({ filters: { user_id: 'ann' } })), [
    'the cat is called Ann-Marie',
  ]);
  const anyone = await one.search('cat', { filters: { user_id: '*' }, threshold: 0 });
  assert.equal(anyone.results.length, 2);
  const agents = await one.search('cats sleep', { filters: { agent_id: 'house' }, threshold: 0 });
  assert.deepEqual(memories(agents), ['the house rule: cats sleep inside']);
  const { results } = await one.users();
  assert.deepEqual(
    results.map(({ type, name }) => `${type} ${name}`),
    ['user ann', 'user bob', 'agent house'],
  );
  await one.deleteAll({ userId: 'ann' });
  assert.deepEqual(
    memories(await one.getAll({ filters: { OR: [{ user_id: '*' }, { agent_id: '*' }] } })).sort(),
    ['the cat is called Bob-Marley', 'the house rule: cats sleep inside'],
  );
  await one.deleteUsers();
  assert.deepEqual((await one.users()).results, []);
});

test('filters: AND, OR, NOT and operators, each side by side', async (t) => {
  const one = await (await start(t)).client();
  const add = (text: string, metadata: object, agentId: string) =>
    one.add(text as never, { userId: 'ann', agentId, metadata, infer: false });
  await add('tea from Japan', { kind: 'tea', price: 5, tags: ['hot'] }, 'a');
  await add('tea from China', { kind: 'tea', price: 9, tags: ['cold'] }, 'b');
  await add('coffee from Kenya', { kind: 'coffee', price: 7 }, 'b');
  const ann = { user_id: 'ann' };
  const cases: readonly [object, readonly string[]][] = [
    [{ ...ann, metadata: { kind: 'tea' } }, ['China', 'Japan']],
    [{ ...ann, metadata: { kind: { ne: 'tea' } } }, ['Kenya']],
    [{ ...ann, metadata: { price: { gte: 7 } } }, ['China', 'Kenya']],
    [{ ...ann, metadata: { tags: { contains: 'hot' } } }, ['Japan']],
    [{ AND: [ann, { OR: [{ agent_id: 'a' }, { metadata: { kind: 'coffee' } }] }] }, ['Japan', 'Kenya']],
    [{ ...ann, OR: [{ agent_id: 'a' }], NOT: [{ metadata: { kind: 'coffee' } }] }, ['Japan']],
    [{ ...ann, NOT: { agent_id: { in: ['a', 'c'] } } }, ['China', 'Kenya']],
    [{ ...ann, keywords: { icontains: 'CHINA' } }, ['China']],
    [{ ...ann, created_at: { gt: '2020-01-01', lt: '2021-01-01' } }, []],
    [{ ...ann, categories: { in: ['food'] } }, []],
    [{ user_id: { in: ['ann', 'bob'] }, agent_id: 'b' }, ['China', 'Kenya']],
  ];
  for (const [filters, countries] of cases) {
    const expected = countries.map((country) => `${country === 'Kenya' ? 'coffee' : 'tea'} from ${country}`);
    const listed = await one.getAll({ filters: filters as never });
    assert.deepEqual(memories(listed).sort(), expected.toSorted(), JSON.stringify(filters));
    assert.equal(listed.count, expected.length);
    const found = await one.search('from tea coffee', { filters: filters as never, threshold: 0 });
    assert.deepEqual(memories(found).sort(), expected.toSorted(), JSON.stringify(filters));
  }
  const page = await one.getAll({ filters: ann, page: 2, pageSize: 2 });
  assert.deepEqual([page.count, memories(page)], [3, ['tea from Japan']]);
  for (const filters of [
    { userId: 'ann' },
    { colour: 'red' },
    { constructor: 'red' },
    { ...ann, metadata: { a: { like: 'b' } } },
    { OR: ann },
    { AND: [[]] },
    { ...ann, agent_id: { in: [{}] } },
    { ...ann, OR: Array.from({ length: 60 }, () => ann) },
    { ...ann, created_at: { gt: 'soon' } },
  ])
    await assert.rejects(
      one.getAll({ filters: filters as never }),
      fails('ValidationError'),
      JSON.stringify(filters),
    );
  await assert.rejects(one.search('tea', { filters: {} }), fails('ValidationError'));
  let deep: object = ann;
  for (let at = 0; at < 20; at += 1) deep = { AND: [deep] };
  await assert.rejects(one.getAll({ filters: deep as never }), fails('ValidationError'));
});

test('batches change and delete all or, where one memory is not there, none', async (t) => {
  const one = await (await start(t)).client();
  const ids = await keep(one, ['first note', 'second note', 'third note'], { userId: 'ann' });
  const [first = '', second = ''] = ids;
  await one.batchUpdate([
    { memoryId: first, text: 'first changed' },
    { memoryId: second, text: 'second changed' },
  ]);
  assert.equal((await one.get(second)).memory, 'second changed');
  const unknown = '00000000-0000-4000-8000-000000000000';
  await assert.rejects(one.batchDelete([first, unknown]), fails('MemoryNotFoundError'));
  assert.equal((await one.get(first)).memory, 'first changed');
  await one.batchDelete([first, second]);
  assert.deepEqual(memories(await one.getAll({ filters: { user_id: 'ann' } })), ['third note']);
});

test('a memory that another one took the place of is not changed, alone or in a batch', async (t) => {
  const { host, server } = await start(t);
  const key = await server.key('memory');
  const one = new MemoryClient({ apiKey: key, host });
  const [home = '', tea = ''] = await keep(one, ['I live in London.', 'I drink tea.'], { userId: 'ann' });
  const moved = await fetch(`${host}/api/memory`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ key: 'home', content: 'I live in Paris.', userId: 'ann', supersedes: home }),
  });
  assert.equal(moved.status, 201);
  await assert.rejects(one.update(home, { text: 'I live in Leeds.' }), fails('ValidationError'));
  const both = [
    { memoryId: tea, text: 'I drink coffee.' },
    { memoryId: home, text: 'I live in Leeds.' },
  ];
  await assert.rejects(one.batchUpdate(both), fails('ValidationError'));
  assert.equal((await one.get(tea)).memory, 'I drink tea.');
  const history = await one.history(home);
  assert.deepEqual(
    history.map(({ newMemory }) => newMemory),
    ['I live in London.'],
  );
});

test("what mem0's service has and this one has not is answered 404 in its shape", async (t) => {
  const { host, server } = await start(t);
  const authorization = `Token ${await server.key('memory')}`;
  for (const [method, path] of [
    ['POST', '/v1/exports/'],
    ['POST', '/v1/exports/get/'],
    ['GET', '/v1/summary/'],
    ['GET', '/v1/profiles/ann/'],
    ['GET', '//v1/exports/'],
  ] as const) {
    const answer = await fetch(`${host}${path}`, { method, headers: { authorization } });
    const body = (await answer.json()) as object;
    assert.deepEqual([answer.status, Object.keys(body)], [404, ['detail', 'code']], path);
  }
  const client = new MemoryClient({ apiKey: authorization.slice('Token '.length), host });
  await client.ping();
  await assert.rejects(client.getProject({ fields: [] }), fails('MemoryNotFoundError'));
  await assert.rejects(client.getWebhooks(), fails('MemoryNotFoundError'));
  await assert.rejects(client.createMemoryExport({ schema: {}, filters: {} }), fails('MemoryNotFoundError'));
});

test('feedback is kept, and taken back', async (t) => {
  const one = await (await start(t)).client();
  const [memoryId = ''] = await keep(one, ['tea'], { userId: 'ann' });
  await one.feedback({ memoryId, feedback: 'NEGATIVE' as never, feedbackReason: 'wrong' });
  assert.deepEqual((await one.get(memoryId)).metadata, { feedback: 'NEGATIVE', feedback_reason: 'wrong' });
  await one.feedback({ memoryId, feedback: null as never });
  assert.deepEqual((await one.get(memoryId)).metadata, {});
});

test('what would delete everything by mistake, and what names nobody, is refused', async (t) => {
  const { host, server, client } = await start(t);
  const one = await client();
  const [id = ''] = await keep(one, ['tea'], { userId: 'ann' });
  await assert.rejects(one.deleteAll(), fails('ValidationError'));
  const authorization = `Token ${await server.key('memory')}`;
  const repr = await fetch(`${host}/v1/memories/?filters=%7B'user_id'%3A+'ann'%7D`, {
    method: 'DELETE',
    headers: { authorization },
  });
  assert.equal(repr.status, 400);
  await assert.rejects(one.add([{ role: 'user', content: 'I am nobody' }], {}), fails('ValidationError'));
  await assert.rejects(new MemoryClient({ apiKey: 'wrong', host }).get(id), fails('AuthenticationError'));
  assert.equal((await one.get(id)).memory, 'tea');
  await assert.rejects(one.get('no-uuid/../x'), fails('MemoryNotFoundError'));
  const { detail } = (await (await fetch(`${host}/v1/ping/`)).json()) as { detail: string };
  assert.equal(typeof detail, 'string', "what Python's client tells");
});
