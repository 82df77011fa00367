import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PreparedReads, type PreparedRead } from '../../../../plugins/dataquery/front/api/prepared-reads.js';
import { relationOf } from '../../../../plugins/dataquery/engine/catalog/model.js';
import { readCatalog } from '../../../../plugins/dataquery/engine/catalog/read.js';
import { seenCache } from '../../../../plugins/dataquery/engine/plan/seen-cache.js';

const { catalog } = readCatalog(
  `
exposed: [a, b]
schemas:
  a: { relations: { films: { columns: { id: integer, title: text, released: date } } } }
  b: { relations: { films: { columns: { id: integer } } } }
`,
  'catalog.yaml',
  '.',
);
const limits = { maxRows: undefined, maxDepth: 1, maxEmbeds: 1, maxFilters: 500, aggregates: false };

function opened(): (search: string, schema?: string) => PreparedRead {
  const reads = new PreparedReads(seenCache(catalog));
  return (search, schema = 'a') =>
    reads.prepare(limits, relationOf(catalog, { schema, relation: 'films' })!, search);
}

describe('prepared reads', () => {
  test('the same request is planned once', () => {
    const prepare = opened();
    const read = prepare('select=id&limit=2');
    assert.equal(prepare('select=id&limit=2'), read);
    assert.deepEqual(read.window, { limit: 2, offset: undefined });
    assert.equal(read.location, '/films?limit=2&select=id');
  });

  test('relations of one name in two schemas are told apart', () => {
    const prepare = opened();
    assert.deepEqual(prepare('', 'a').level.keys, ['id', 'title', 'released']);
    assert.deepEqual(prepare('', 'b').level.keys, ['id']);
  });

  test('a request that is refused is refused again', () => {
    const prepare = opened();
    for (const _ of [1, 2]) assert.throws(() => prepare('select=no'), { code: '42703' });
  });

  test('of many requests the latest are kept, and those that are still in use', () => {
    const prepare = opened();
    const [used, unused] = [prepare('id=eq.-1'), prepare('id=eq.-2')];
    for (let id = 0; id < 999; id += 1) {
      prepare(`id=eq.${id}`);
      prepare('id=eq.-1');
    }
    assert.equal(prepare('id=eq.-1'), used);
    assert.notEqual(prepare('id=eq.-2'), unused);
  });

  test('what a date of today means is asked anew each time', () => {
    const prepare = opened();
    for (const search of ['released=lte.today', 'or=(released.is.null,released.gt.%6Eow)']) {
      assert.notEqual(prepare(search), prepare(search), search);
    }
    const fixed = 'released=lte.2020-02-02';
    assert.equal(prepare(fixed), prepare(fixed));
  });

  test('a very long request is not kept', () => {
    const prepare = opened();
    const search = `id=in.(${'1,'.repeat(2_000)}1)`;
    assert.notEqual(prepare(search), prepare(search));
  });
});
