import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryServer, type Answer } from '../support/memory-server.js';

test('with a least score a query about something else finds nothing, and one about an entry finds it', async () => {
  await using memory = await memoryServer();
  const contents = [
    'Ann is allergic to peanuts',
    'The ferry to the island leaves at seven in the morning',
    'The spare key is under the blue flower pot',
    'Our landlord wants the rent before the third of each month',
    'The cat was vaccinated in March',
  ];
  for (const content of contents) await memory.call('POST', '/api/memory', { key: content, content });
  const found = async (query: string, options: object = {}): Promise<Answer[]> =>
    (await memory.call('POST', '/api/memory/retrieve-preview', { query, ...options })).body.memories;
  const minScore = 0.5;
  assert.notEqual((await found('interest rates of the central bank')).length, 0);
  for (const strategy of ['exact', 'semantic', 'hybrid']) {
    const [best] = await found('when does the ferry leave?', { strategy, minScore });
    assert.equal(best?.content, contents[1], strategy);
    assert.ok(best.relevance >= minScore && best.relevance <= 1);
    assert.deepEqual(await found('gothic cathedrals of Bohemia', { strategy, minScore }), [], strategy);
  }
});
