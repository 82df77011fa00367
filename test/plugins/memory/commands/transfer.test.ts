import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { bootTest } from 'plugboard/testing';
import memory from '../../../../plugins/memory/index.js';
import { memoryServer, type Answer } from '../support/memory-server.js';

describe('export and import', () => {
  test('what one server exports another imports: every field, ids and dates too, and a second time the same', async () => {
    await using one = await memoryServer();
    const entries = [
      {
        key: 'a',
        content: 'likes tea',
        metadata: { 'x.y': [1] },
        apiKeyId: 'ann',
        sessionId: 's',
        type: 'episodic',
      },
      { key: 'b', content: '고양이가 있다', expiresAt: '2090-01-01T00:00:00.000Z' },
    ];
    for (const entry of entries) await one.call('POST', '/api/memory', entry);
    const exported = await one.server.command(['memory', 'export']);
    assert.equal(exported.stderr, 'exported 2 memories\n');
    assert.equal((await one.server.command(['memory', 'export', '-'])).stdout, exported.stdout);
    await using two = await memoryServer();
    const imported = await two.server.command(['memory', 'import', '-'], exported.stdout);
    assert.deepEqual([imported.code, imported.stderr], [0, 'imported 2 memories\n']);
    const again = await two.server.command(['memory', 'import', '-'], exported.stdout);
    assert.equal(again.code, 0);
    const [left, right] = [await one.call('GET', '/api/memory'), await two.call('GET', '/api/memory')];
    const byKey = (a: Answer, b: Answer) => (a.key < b.key ? -1 : 1);
    assert.deepEqual(right.body.data.sort(byKey), left.body.data.sort(byKey));
    assert.equal((await two.call('GET', '/api/memory?q=고양이')).body.total, 1);
    const mine = await one.server.command(['memory', 'export', '--api-key-id', 'ann']);
    assert.deepEqual(
      mine.stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as Answer).key),
      ['a'],
    );
  });

  test('a key that is often in a file holds what its last line says, and a line that is refused is named', async () => {
    await using memory = await memoryServer();
    const line = (at: number, fields: object = {}): string =>
      JSON.stringify({
        key: `k${at % 40}`,
        content: `said ${at}`,
        createdAt: '2026-01-01T00:00:00.000Z',
        ...(at % 7 === 0 && { createdAt: undefined }),
        ...fields,
      });
    const lines = Array.from({ length: 200 }, (_, at) => line(at));
    const imported = await memory.server.command(['memory', 'import', '-'], lines.join('\n'));
    assert.equal(imported.stderr, 'imported 200 memories\n');
    const { data } = (await memory.call('GET', '/api/memory?limit=200')).body;
    assert.deepEqual(
      data.map(({ key, content }: Answer) => `${key} ${content}`).toSorted(),
      Array.from({ length: 40 }, (_, at) => `k${at} said ${160 + at}`).toSorted(),
    );
    const mistaken = [line(1), line(2, { expiresAt: 'soon' }), line(3)].join('\n');
    const refused = await memory.server.command(['memory', 'import', '-'], mistaken);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /line 2: expiresAt/);
  });

  test('what took the place of what is exported and imported, in any order of the lines, under other ids and a second time', async () => {
    await using one = await memoryServer();
    const post = async (server: typeof one, entry: object): Promise<Answer> =>
      (await server.call('POST', '/api/memory', entry)).body;
    const since = (year: number) => `${year}-01-01T00:00:00.000Z`;
    const london = { key: 'a', content: 'lives in London', validFrom: since(2020) };
    const first = await post(one, london);
    // A correction: the first one never held.
    const paris = { key: 'b', content: 'lives in Paris', validFrom: since(2020), supersedes: first.id };
    const second = await post(one, paris);
    const rome = { key: 'c', content: 'lives in Rome', validFrom: since(2024), supersedes: second.id };
    const third = await post(one, rome);
    const { stdout } = await one.server.command(['memory', 'export']);
    const reversed = `${stdout.trim().split('\n').toReversed().join('\n')}\n`;

    const history = async (server: typeof one, id: string): Promise<Answer[]> =>
      (await server.call('GET', `/api/memory/${id}/history`)).body.data;
    const told = await history(one, third.id);
    assert.equal(told.length, 3);
    for (const file of [stdout, reversed]) {
      await using two = await memoryServer();
      for (let time = 1; time <= 2; time += 1) {
        assert.equal((await two.server.command(['memory', 'import', '-'], file)).code, 0);
        assert.deepEqual(await history(two, third.id), told);
      }
      const at = await two.call('GET', `/api/memory?asOf=${since(2022)}`);
      assert.deepEqual(
        at.body.data.map(({ key }: Answer) => key),
        ['b'],
      );
    }
    await using three = await memoryServer();
    const own = await post(three, { ...london, content: 'something else' });
    assert.equal((await three.server.command(['memory', 'import', '-'], stdout)).code, 0);
    assert.deepEqual(
      (await history(three, third.id)).map(({ id }) => id),
      [third.id, second.id, own.id],
      'the entry that held the key keeps its id, and the link leads to it',
    );
  });

  test('an import takes a later succession back that its file does not know', async () => {
    await using memory = await memoryServer();
    const first = (await memory.call('POST', '/api/memory', { key: 'a', content: 'tea' })).body;
    const { stdout } = await memory.server.command(['memory', 'export']);
    const later = { key: 'b', content: 'coffee', supersedes: first.id };
    const second = (await memory.call('POST', '/api/memory', later)).body;
    const both = (await memory.server.command(['memory', 'export'])).stdout;
    await memory.call('POST', `/api/memory/${second.id}/restore`);
    const get = async (id: string): Promise<Answer> => (await memory.call('GET', `/api/memory/${id}`)).body;
    await memory.server.command(['memory', 'import', '-'], both);
    assert.equal((await get(first.id)).supersededBy, second.id);
    await memory.server.command(['memory', 'import', '-'], stdout);
    const { supersededBy, validUntil } = await get(first.id);
    assert.deepEqual([supersededBy, validUntil], [null, null]);
    assert.equal((await get(second.id)).supersedes, null);
  });

  test('what mem0 gave out is imported: pages, arrays and lines, in both cases, and a second time the same', async () => {
    const uuid = '11111111-2222-4333-8444-555555555555';
    const snake = {
      id: uuid,
      memory: 'I drink green tea.',
      user_id: 'ann',
      agent_id: 'waiter',
      metadata: { table: 7 },
      categories: ['food'],
      created_at: '2024-05-01T10:00:00-07:00',
      updated_at: '2024-05-02T10:00:00-07:00',
      expiration_date: null,
    };
    const camel = {
      id: 'mem_7',
      memory: 'My cat is called Tom.',
      userId: 'bob',
      runId: 'monday',
      metadata: { expiration_date: '2090-06-30' },
      createdAt: '2024-06-01T00:00:00Z',
    };
    const gone = { id: 'old', memory: 'expired', user_id: 'ann', expiration_date: '2020-01-01' };
    const page = { count: 3, next: null, previous: null, results: [snake, camel, gone] };
    const lines = [snake, camel, gone].map((memory) => JSON.stringify(memory)).join('\n');
    const files = [JSON.stringify(page, null, 2), JSON.stringify([snake, camel, gone]), lines];
    await using memory = await memoryServer();
    const run = (input: string, ...options: string[]) =>
      memory.server.command(['memory', 'import', '-', '--from', 'mem0', ...options], input);
    let first: Answer;
    for (const file of files) {
      const { code, stderr } = await run(file, '--api-key-id', 'shop');
      assert.deepEqual([code, stderr], [0, 'imported 3 memories\n']);
      const { data } = (await memory.call('GET', '/api/memory?apiKeyId=shop')).body;
      first ??= data;
      assert.deepEqual(data, first);
    }
    const [cat, tea] = first;
    assert.deepEqual(
      [tea.id, tea.content, tea.userId, tea.type, tea.metadata, tea.createdAt, tea.updatedAt],
      [
        uuid,
        'I drink green tea.',
        'ann',
        'factual',
        { table: 7, agent_id: 'waiter', categories: ['food'] },
        '2024-05-01T17:00:00.000Z',
        '2024-05-02T17:00:00.000Z',
      ],
    );
    assert.deepEqual(
      [cat.userId, cat.sessionId, cat.type, cat.metadata, cat.expiresAt],
      ['bob', 'monday', 'episodic', { mem0_id: 'mem_7' }, '2090-07-01T00:00:00.000Z'],
    );

    const refused: readonly [string, readonly string[], RegExp][] = [
      [lines, [], /--api-key-id ID/],
      ['[{"id":"a"}]', ['--api-key-id', 'shop'], /^memory 1 \(a\): .*content/m],
      ['[{"memory":"a"}]', ['--api-key-id', 'shop'], /^memory 1: id must be a text/m],
      ['{"id":"a","memory":"b"}\nnot json', ['--api-key-id', 'shop'], /^line 2 is not JSON/m],
      ['[7]', ['--api-key-id', 'shop'], /JSON objects/],
      ['[{"id":"a","memory":"b","expiration_date":"soon"}]', ['--api-key-id', 'shop'], /expiresAt/],
      [
        '[{"id":"a","memory":"b","created_at":"soon"}]',
        ['--api-key-id', 'shop'],
        /created_at must be a date/,
      ],
    ];
    for (const [input, options, message] of refused) {
      const { code, stderr } = await run(input, ...options);
      assert.equal(code, 2, input);
      assert.match(stderr, message);
    }
  });

  test('the commands of a second instance have its id in front', async () => {
    await using server = await bootTest({
      plugins: [{ plugin: memory }, { plugin: memory, id: 'archive', prefix: '/archive' }],
    });
    const authorization = `Bearer ${await server.key('manage')}`;
    const payload = { key: 'a', content: 'likes tea' };
    await server.inject({
      method: 'POST',
      url: '/archive/api/memory',
      headers: { authorization },
      payload,
    });
    assert.equal((await server.command(['memory', 'export'])).stdout, '');
    assert.match((await server.command(['archive', 'memory', 'export'])).stdout, /likes tea/);
  });

  test('a file that is not UTF-8 is refused with the line, and what is half a character at the end of a chunk is none', async () => {
    await using memory = await memoryServer();
    const folder = await mkdtemp(join(tmpdir(), 'plugboard-import-'));
    const line = (content: string): string => `${JSON.stringify({ key: content.slice(0, 9), content })}\r\n`;
    // Three bytes a character: no chunk of a file ends where a character does.
    const long = '고양이 '.repeat(30_000 / 4);
    await writeFile(join(folder, 'good.ndjson'), `\ufeff${line('Zoë')}${line(long)}${line(`b${long}`)}`);
    const latin1 = Buffer.concat([Buffer.from(line('first')), Buffer.from(line('Zo\xeb'), 'latin1')]);
    await writeFile(join(folder, 'latin1.ndjson'), latin1);
    const refused = await memory.server.command([
      'memory',
      'import',
      '--dry-run',
      join(folder, 'latin1.ndjson'),
    ]);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /^line 2: its bytes are not UTF-8$/m);
    const taken = await memory.server.command(['memory', 'import', join(folder, 'good.ndjson')]);
    assert.equal(taken.stderr, 'imported 3 memories\n');
    const { data } = (await memory.call('GET', '/api/memory')).body;
    assert.deepEqual(data.map(({ content }: Answer) => content).sort(), ['Zoë', `b${long}`, long].sort());
    await rm(folder, { recursive: true });
  });

  test('a bad line is named with its number, and a dry run stores nothing', async () => {
    await using memory = await memoryServer();
    const good = '{"key":"k","content":"c"}';
    const run = (input: string, ...options: string[]) =>
      memory.server.command(['memory', 'import', '-', ...options], input);
    const cases: readonly [input: string, message: RegExp][] = [
      [`${good}\nnot json`, /^line 2 is not a JSON object/m],
      [`\n${good}\n[]`, /^line 3 is not a JSON object/m],
      ['{"key":"k"}', /^line 1: .*content/m],
      ['{"key":"k","content":"c","colour":"red"}', /^line 1: /m],
      ['{"key":"","content":"c"}', /^line 1: key /m],
    ];
    for (const [input, message] of cases) {
      const { code, stderr } = await run(input, '--dry-run');
      assert.equal(code, 2, input);
      assert.match(stderr, message);
    }
    assert.equal((await run(good, '--dry-run')).stderr, 'checked 1 memory\n');
    assert.equal((await memory.call('GET', '/api/memory')).body.total, 0);
    assert.equal((await memory.server.command(['memory', 'import'])).code, 2);
  });
});
