import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryServer, type Answer } from '../support/memory-server.js';

/** What is found by a sign, a number or a stop word, among entries that have none of it. */
const FOUND: readonly [query: string, ...contents: string[]][] = [
  ['🎂', 'Lena turns six on Sunday 🎂'],
  ['€', 'the deposit was 40 €'],
  ['The Who', 'saw The Who live in Leeds'],
  ['to be or not to be', 'to be, or not to be: her favourite line'],
  ['1299', 'the laptop cost 1,299.00'],
  ['1.299,00', 'the laptop cost 1,299.00'],
  ['Mueller', 'Frau Müller hat den Schlüssel'],
  ['Jörg', 'Joerg repariert das Rad'],
];

test('signs, numbers with separators, stop words and umlauts that are written out are found', async () => {
  await using memory = await memoryServer();
  const contents = [
    ...new Set(FOUND.flatMap(([, ...found]) => found)),
    'the ferry leaves at seven',
    'Ann likes tea',
  ];
  for (const [at, content] of contents.entries())
    await memory.call('POST', '/api/memory', { key: `k${at}`, content });
  for (const [query, ...wanted] of FOUND) {
    const list = await memory.call('GET', `/api/memory?q=${encodeURIComponent(query)}`);
    assert.deepEqual(
      list.body.data.map(({ content }: Answer) => content),
      wanted,
      query,
    );
    for (const strategy of ['exact', 'hybrid']) {
      const { body } = await memory.call('POST', '/api/memory/retrieve-preview', { query, strategy });
      assert.equal(body.memories[0]?.content, wanted[0], `${query}, ${strategy}`);
    }
  }
});
