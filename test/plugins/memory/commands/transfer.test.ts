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
