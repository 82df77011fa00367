/** Full text in Korean, Japanese and Chinese: alike with and without an index, on both stores. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { configurationNamed } from '../../../../plugins/dataquery/engine/search/configuration.js';
import { vectorOf, vectorText } from '../../../../plugins/dataquery/engine/search/vector.js';
import { openData } from '../support/open-data.js';

const TEXTS: Readonly<Record<string, string>> = {
  seoul: '서울에서 부산까지 기차로 갔다',
  station: '서울역 앞의 카페',
  city: '고양시는 서울 옆에 있다',
  cat: '고양이가 물을 마신다',
  physics: '물리학은 films 나는 age 나이',
  tokyo: '東京タワーに行きました。ﾃﾚﾋﾞを見た',
  kyoto: '京都の寺と富士山',
  beijing: '北京大学的学生在图书馆学习',
  decomposed: '제주도'.normalize('NFD'),
};

const SEARCHES: readonly (readonly [search: string, found: readonly string[]])[] = [
  ['fts(korean).서울', ['city', 'seoul', 'station']],
  ['fts(korean).서울에서', ['city', 'seoul']],
  ['fts(korean).부산에', ['seoul']],
  ['plfts(korean).기차 서울은', ['seoul']],
  ['phfts(korean).서울 부산', ['seoul']],
  ['phfts(korean).부산 서울', []],
  ['phfts(korean).서울 기차', []],
  ['fts(korean).고양이', ['cat']],
  ['fts(korean).고양시', ['city']],
  ['fts(korean).물', ['cat']],
  ['fts(korean).물:*', ['cat', 'physics']],
  ['fts(korean).나이', ['physics']],
  ['fts(korean).film', ['physics']],
  ['wfts(korean).서울 -역', ['city', 'seoul', 'station']],
  ['wfts(korean).서울 -카페', ['city', 'seoul']],
  ['wfts(korean)."서울 옆" or 물', ['cat', 'city']],
  ['fts(korean).!서울', ['beijing', 'cat', 'decomposed', 'kyoto', 'physics', 'tokyo']],
  ['fts(korean).제주도', ['decomposed']],
  ['fts(japanese).東京', ['tokyo']],
  ['fts(japanese).タワー', ['tokyo']],
  ['fts(japanese).テレビ', ['tokyo']],
  ['phfts(japanese).東京 タワー', ['tokyo']],
  ['fts(japanese).東タワー', []],
  ['fts(japanese).山', ['kyoto']],
  ['fts(japanese).京', ['beijing', 'kyoto', 'tokyo']],
  ['fts(chinese).图书馆', ['beijing']],
  ['fts(chinese).大学生', []],
  ['plfts(chinese).图书 大学', ['beijing']],
  ['fts(chinese).北京|富士山', ['beijing', 'kyoto']],
];

const catalog = (type: string): string => `schemas:
  public:
    relations:
      notes: { columns: { id: text, text: ${type} }, primaryKey: [id] }
`;

eachStore('a search', (store) => {
  for (const type of ['text', '{ type: text, search: korean }']) {
    describe(`in a column of ${type}`, () => {
      test('finds words with other particles, and parts of runs without spaces', async (t) => {
        const rows = Object.entries(TEXTS).map(([id, text]) => ({ id, text }));
        const data = await openData(await store.fresh(), catalog(type), { 'public.notes': rows });
        t.after(() => data.stop());
        for (const [search, found] of SEARCHES) {
          assert.deepEqual(
            await data.rows(`/notes?select=id&order=id&text=${encodeURIComponent(search)}`),
            found.map((id) => ({ id })),
            search,
          );
        }
      });
    });
  }
});

test('a text is its pairs of characters, and Korean words also what they are without a particle', () => {
  const korean = configurationNamed('korean');
  assert.equal(vectorText(vectorOf(['집에서 IT'], korean)), "'it':2 '에서':1 '집_':1 '집에':1 '집에서_':1");
  assert.equal(vectorText(vectorOf(['富士山'], korean)), "'士山':2 '富士':1 '山':3");
});

test('a long text of one run is searched as others are', () => {
  const chinese = configurationNamed('chinese');
  const vector = vectorOf(['的'.repeat(99_000) + '图书馆'], chinese);
  assert.deepEqual(vector.get('图书'), [{ position: 99_001, weight: 'D' }]);
  assert.equal(vectorOf(['가'.repeat(100_000)], chinese).size, 1);
});
