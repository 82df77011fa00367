/** With a configured model that does not know the language, word meanings are still compared. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryServer, settled } from '../support/memory-server.js';
import { EMBED, fakeModels } from '../support/models.js';

const REMOTE = { embeddingSource: 'remote', embeddingProviderModel: EMBED };
const QUERY = 'Wann habt ihr Urlaub?';

/** As many as it takes to see that a model finds them all alike. */
const DAILY = [
  'Bus',
  'Kuchen',
  'Garten',
  'Regen',
  'Hund',
  'Schule',
  'Brot',
  'Fenster',
  'Zahnarzt',
  'Lampe',
].flatMap((thing) => [`Gestern war ${thing} ein Thema`, `Olga fragt morgen nach: ${thing}`]);

/** To this model all texts are much the same. */
function unknowing(text: string): Float32Array {
  const sum = Array.from(text).reduce((total, letter, at) => total + letter.charCodeAt(0) * (at + 1), 0);
  return Float32Array.from({ length: 8 }, (_, at) => 1 + 0.3 * Math.sin(sum * (at + 1)));
}

test('a model that finds all entries alike does not hide what is said with other words', async () => {
  const models = fakeModels();
  models.vectorOf = unknowing;
  await using memory = await memoryServer({ models });
  const { call } = memory;
  await call('PUT', '/api/settings/memory', REMOTE);
  const said = ['Die Ferien beginnen im Juli', ...DAILY];
  for (const content of said) await call('POST', '/api/memory', { key: content, content });
  await call('POST', '/api/memory', { key: 'theirs', content: 'Ferien am See', userId: 'bo' });
  await settled(memory);
  const found = async (fields: object = {}) => {
    const asked = { query: QUERY, limit: 50, ...fields };
    const { memories } = (await call('POST', '/api/memory/retrieve-preview', asked)).body;
    return new Map<string, number>(
      memories.map(({ content, score }: { content: string; score: number }) => [content, score]),
    );
  };
  const [holidays = ''] = said;
  const all = await found();
  assert.equal([...all.keys()][0], holidays);
  assert.ok(!all.has('Ferien am See'), 'what belongs to another end user');
  assert.ok((await found({ userId: 'bo' })).has('Ferien am See'));

  await call('PUT', '/api/settings/memory', { ...REMOTE, staticEnabled: false });
  const without = await found();
  assert.ok((without.get(holidays) ?? 0) < (all.get(holidays) ?? 0) / 2, 'the model alone');
  await call('PUT', '/api/settings/memory', { ...REMOTE, staticEnabled: true });

  // A new text is compared by its own words.
  const { data } = (await call('GET', '/api/memory?limit=200')).body;
  const { id } = data.find(({ content }: { content: string }) => content === holidays);
  await call('PUT', `/api/memory/${id}`, { content: 'Das Fenster klemmt' });
  await settled(memory);
  assert.notEqual([...(await found()).keys()][0], 'Das Fenster klemmt');
});
