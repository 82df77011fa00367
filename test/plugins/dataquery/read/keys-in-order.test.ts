/** Pages and counts of rows by many keys of related rows. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { openData, type Data } from '../support/open-data.js';

const CATALOG = `exposed: [public]
schemas:
  public:
    relations:
      parents:
        columns: { id: integer, weight: double precision, even: boolean }
        primaryKey: [id]
        unique: { weights: [weight] }
      children:
        columns: { id: integer, parent_id: integer, weight: double precision, late: boolean }
        primaryKey: [id]
        foreignKeys:
          of: { columns: [parent_id], references: { relation: parents, columns: [id] } }
          by_weight: { columns: [weight], references: { relation: parents, columns: [weight] } }
      kept_children:
        kind: view
        stored: true
        columns:
          parent_id: { type: integer, base: { schema: public, relation: children, column: parent_id } }
      even_parents: { kind: view, from: parents, columns: { id: { base: id } }, where: { even: is.true } }`;

const PARENTS = 1_800;
const parents = Array.from({ length: PARENTS }, (_, at) => {
  const id = ((at * 7_919) % PARENTS) - 900;
  return { id, weight: id / 8, even: id % 2 === 0 };
});
const children = Array.from({ length: 2_000 }, (_, id) => {
  const parent_id = id % 10 === 0 ? null : ((id * 37) % PARENTS) - 900;
  return { id, parent_id, weight: parent_id === null ? null : parent_id / 8, late: id >= 1_990 };
});
/** Rows that refer to nothing: no foreign key is about them. */
const dangling = Array.from({ length: 600 }, (_, at) => ({ parent_id: at * 5 }));
const ROWS = { 'public.parents': parents, 'public.children': children, 'public.kept_children': dangling };

const having = new Set(children.map(({ parent_id }) => parent_id));
const kept = new Set(dangling.map(({ parent_id }) => parent_id));

eachStore('rows by many keys of related rows', (store) => {
  let data: Data;
  before(async () => {
    data = await openData(await store.fresh(), CATALOG, ROWS, { maxRows: 5_000 });
  });
  after(() => data.stop());

  const ids = async (path: string): Promise<unknown> => {
    const answer = await data.send('GET', path, undefined, { prefer: 'count=exact' });
    const total = Number(String(answer.headers['content-range']).split('/')[1]);
    return { ids: (answer.body as { id: number }[]).map(({ id }) => id), total };
  };
  const expected = (passing: readonly { id: number }[], from: number, to: number, sign: 1 | -1): unknown => ({
    ids: passing
      .map(({ id }) => id)
      .toSorted((a, b) => sign * (a - b))
      .slice(from, to),
    total: passing.length,
  });

  for (const [order, sign] of [
    ['id', 1],
    ['id.desc', -1],
  ] as const) {
    test(`come in the order of the keys and are counted, ${order}`, async () => {
      const all = parents.filter(({ id }) => having.has(id));
      const even = all.filter((one) => one.even);
      const high = all.filter(({ id }) => id > 880);
      for (const [from, to] of [
        [0, 20],
        [7, 12],
        [0, all.length],
        [1_500, 1_510],
      ] as const) {
        const page = `select=id,children!of!inner()&order=${order}&offset=${from}&limit=${to - from}`;
        const asked = [
          [`/parents?${page}`, all],
          [`/parents?${page}&even=is.true`, even],
          [`/even_parents?${page}`, even],
          // Few of the keys pass what else is asked: those that come first are not enough.
          [`/parents?${page}&id=gt.880`, high],
        ] as const;
        for (const [path, passing] of asked) {
          // A page after the last row is refused.
          if (from > passing.length) continue;
          assert.deepEqual(await ids(path), expected(passing, from, to, sign), path);
        }
      }
    });
  }

  test('come in the order of keys that are no integers', async () => {
    const path = '/parents?select=id,children!by_weight!inner()&order=weight&limit=20';
    const all = parents.filter(({ id }) => having.has(id));
    assert.deepEqual(await ids(path), expected(all, 0, 20, 1));
  });

  test('are counted themselves where keys of related rows may be of none', async () => {
    const found = parents.filter(({ id }) => kept.has(id));
    const path = '/parents?select=id,kept_children!inner()&order=id&limit=5';
    assert.deepEqual(await ids(path), expected(found, 0, 5, 1));
  });

  test('that have no related row are counted too', async () => {
    const none = parents.filter(({ id }) => !having.has(id));
    const path = '/parents?select=id,children!of()&children=is.null&order=id&limit=5';
    assert.deepEqual(await ids(path), expected(none, 0, 5, 1));
  });
});
