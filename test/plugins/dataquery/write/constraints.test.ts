import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { openData, refusal, type Data } from '../support/open-data.js';

const CATALOG = `
schemas:
  public:
    relations:
      parents:
        columns: { id: { type: integer, required: true }, code: text, a: integer, b: integer }
        primaryKey: [id]
        unique: { parents_code_key: [code], parents_a_b_key: [a, b] }
        checks: { parents_a_check: { a: gte.0 } }
      cascading: { columns: { id: { type: integer, default: { generated: identity } }, parent: integer, note: text }, primaryKey: [id],
        foreignKeys: { cascading_fk: { columns: [parent], references: { relation: parents, columns: [id] }, onDelete: cascade, onUpdate: cascade } } }
      deeper: { columns: { id: integer, up: integer }, primaryKey: [id],
        foreignKeys: { deeper_fk: { columns: [up], references: { relation: cascading, columns: [id] }, onDelete: cascade } } }
      loosened: { columns: { id: integer, parent: integer }, primaryKey: [id],
        foreignKeys: { loosened_fk: { columns: [parent], references: { relation: parents, columns: [id] }, onDelete: set null } } }
      defaulting: { columns: { id: integer, parent: { type: integer, default: 1 } }, primaryKey: [id],
        foreignKeys: { defaulting_fk: { columns: [parent], references: { relation: parents, columns: [id] }, onDelete: set default } } }
      holding: { columns: { id: integer, parent: integer }, primaryKey: [id],
        foreignKeys: { holding_fk: { columns: [parent], references: { relation: parents, columns: [id] } } } }
      pairs: { columns: { id: integer, a: integer, b: integer }, primaryKey: [id],
        foreignKeys: { pairs_fk: { columns: [a, b], references: { relation: parents, columns: [a, b] } } } }
      nodes: { columns: { id: integer, up: integer }, primaryKey: [id],
        foreignKeys: { nodes_fk: { columns: [up], references: { relation: nodes, columns: [id] } } } }
      stamped: { columns: { id: integer, at: timestamptz }, primaryKey: [id], checks: { stamped_past: { at: lte.now } } }
      computed: { columns: { id: integer, made: { type: text, generated: true } }, primaryKey: [id] }
`;

const ROWS = {
  'public.parents': [
    { id: 1, code: 'one', a: 1, b: 1 },
    { id: 2, code: 'two', a: 2, b: null },
    { id: 3, code: null, a: null, b: null },
  ],
  'public.cascading': [],
  'public.deeper': [],
  'public.loosened': [],
  'public.defaulting': [],
  'public.holding': [],
  'public.pairs': [],
  'public.nodes': [],
  'public.computed': [],
};

eachStore('constraints of a write', (store) => {
  let data: Data;
  before(async () => {
    data = await openData(await store.fresh(), CATALOG, ROWS);
  });
  after(() => data.stop());

  describe('uniqueness', () => {
    before(() => data.restore());

    test('a primary key that is there is refused with its value', async () => {
      const answer = await data.send('POST', '/parents', { id: 1 });
      assert.deepEqual(answer.body, {
        code: '23505',
        message: 'duplicate key value violates unique constraint "parents_pkey"',
        details: 'Key (id)=(1) already exists.',
        hint: null,
      });
      assert.equal(answer.status, 409);
    });

    test('of many rows with one duplicate none is stored', async () => {
      const answer = await data.send('POST', '/parents', [
        { id: 10, code: 'x' },
        { id: 11, code: 'x' },
      ]);
      assert.equal(refusal(answer), '409 23505');
      assert.deepEqual(await data.rows('/parents?id=gte.10'), []);
    });

    test('nulls are never equal', async () => {
      const answer = await data.send('POST', '/parents', [
        { id: 20, code: null, a: 9, b: null },
        { id: 21, code: null, a: 9, b: null },
      ]);
      assert.equal(answer.status, 201);
    });

    test('an update that makes two rows alike changes neither', async () => {
      assert.equal(refusal(await data.send('PATCH', '/parents?id=in.(1,2)', { code: 'same' })), '409 23505');
      assert.deepEqual(await data.rows('/parents?select=code&id=in.(1,2)&order=id'), [
        { code: 'one' },
        { code: 'two' },
      ]);
    });

    test('of two requests with one key at the same time one is stored', async () => {
      const answers = await Promise.all([30, 30, 30, 30].map((id) => data.send('POST', '/parents', { id })));
      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((a, b) => a - b),
        [201, 409, 409, 409],
      );
    });
  });

  describe('references', () => {
    before(() => data.restore());

    test('to nothing is refused, with null allowed', async () => {
      const answer = await data.send('POST', '/holding', { id: 1, parent: 99 });
      assert.equal(
        (answer.body as { details: string }).details,
        'Key (parent)=(99) is not present in table "parents".',
      );
      assert.equal(refusal(answer), '409 23503');
      assert.equal((await data.send('POST', '/holding', { id: 2, parent: null })).status, 201);
    });

    test('of several columns holds as a whole, and not at all with a null in it', async () => {
      assert.equal((await data.send('POST', '/pairs', { id: 1, a: 1, b: 1 })).status, 201);
      assert.equal(refusal(await data.send('POST', '/pairs', { id: 2, a: 1, b: 2 })), '409 23503');
      assert.equal((await data.send('POST', '/pairs', { id: 3, a: 77, b: null })).status, 201);
    });

    test('to a row of the same request is there', async () => {
      assert.equal(
        (
          await data.send('POST', '/nodes', [
            { id: 2, up: 1 },
            { id: 1, up: null },
          ])
        ).status,
        201,
      );
    });

    test('to a row that goes at the same time leaves no orphan', async () => {
      await data.send('POST', '/parents', { id: 90 });
      const [gone, ...added] = await Promise.all([
        data.send('DELETE', '/parents?id=eq.90'),
        ...[91, 92, 93].map((id) => data.send('POST', '/holding', { id, parent: 90 })),
      ]);
      const parents = (await data.rows('/parents?id=eq.90')) as unknown[];
      const children = (await data.rows('/holding?parent=eq.90')) as unknown[];
      assert.equal(parents.length, gone.status === 204 ? 0 : 1);
      assert.equal(children.length, added.filter(({ status }) => status === 201).length);
      if (parents.length === 0) assert.equal(children.length, 0);
    });

    test('that a change leaves alone is not asked about again', async () => {
      const catalog = `
schemas:
  public:
    relations:
      parents: { columns: { id: integer }, primaryKey: [id] }
      children: { columns: { id: integer, parent: integer, note: text }, primaryKey: [id],
        foreignKeys: { children_fk: { columns: [parent], references: { relation: parents, columns: [id] } } } }
`;
      // A file of rows is taken as it is, orphans too.
      const rows = { 'public.children': [{ id: 1, parent: 7 }] };
      const inherited = await openData(await store.fresh(), catalog, rows);
      try {
        const changed = await inherited.send('PATCH', '/children?id=eq.1', { note: 'a', parent: 7 });
        assert.equal(changed.status, 204);
        const moved = await inherited.send('PATCH', '/children?id=eq.1', { parent: 8 });
        assert.equal(refusal(moved), '409 23503');
      } finally {
        await inherited.stop();
      }
    });

    test('a tree that is deleted in one request needs no order', async () => {
      assert.equal(
        (
          await data.send('POST', '/nodes', [
            { id: 10, up: null },
            { id: 11, up: 10 },
          ])
        ).status,
        201,
      );
      assert.equal((await data.send('DELETE', '/nodes?id=in.(10,11)')).status, 204);
      assert.equal(refusal(await data.send('DELETE', '/nodes?id=eq.1')), '409 23503');
    });
  });

  describe('a row that goes', () => {
    before(() => data.restore());

    test('takes, frees or keeps what refers to it, as the foreign key says', async () => {
      await data.send('POST', '/cascading', [
        { id: 1, parent: 2 },
        { id: 2, parent: 3 },
      ]);
      await data.send('POST', '/deeper', [
        { id: 1, up: 1 },
        { id: 2, up: 2 },
      ]);
      await data.send('POST', '/loosened', { id: 1, parent: 2 });
      await data.send('POST', '/defaulting', { id: 1, parent: 2 });
      assert.equal((await data.send('DELETE', '/parents?id=eq.2')).status, 204);
      assert.deepEqual(await data.rows('/cascading?select=id'), [{ id: 2 }]);
      assert.deepEqual(await data.rows('/deeper?select=id'), [{ id: 2 }]);
      assert.deepEqual(await data.rows('/loosened'), [{ id: 1, parent: null }]);
      assert.deepEqual(await data.rows('/defaulting'), [{ id: 1, parent: 1 }]);
    });

    test('is held by a row whose default it is', async () => {
      const answer = await data.send('DELETE', '/parents?id=eq.1');
      assert.equal(refusal(answer), '409 23503');
      assert.deepEqual(await data.rows('/defaulting'), [{ id: 1, parent: 1 }]);
    });

    test('stays, with all that a cascade had taken, when something holds it', async () => {
      await data.send('POST', '/holding', { id: 1, parent: 3 });
      const answer = await data.send('DELETE', '/parents?id=eq.3');
      assert.equal(
        (answer.body as { message: string }).message,
        'update or delete on table "parents" violates foreign key constraint "holding_fk" on table "holding"',
      );
      assert.deepEqual(await data.rows('/cascading?select=id'), [{ id: 2 }]);
    });

    test('a key that changes is followed on cascade, and refused where something holds it', async () => {
      await data.send('POST', '/parents', { id: 50 });
      await data.send('POST', '/cascading', { id: 9, parent: 50, note: 'kept' });
      assert.equal((await data.send('PATCH', '/parents?id=eq.50', { id: 51 })).status, 204);
      assert.deepEqual(await data.rows('/cascading?id=eq.9'), [{ id: 9, parent: 51, note: 'kept' }]);
      assert.equal(refusal(await data.send('PATCH', '/parents?id=eq.3', { id: 60 })), '409 23503');
    });
  });

  describe('values', () => {
    before(() => data.restore());

    test('a missing key is refused with the row', async () => {
      const answer = await data.send('POST', '/parents', { code: 'x' });
      assert.deepEqual(answer.body, {
        code: '23502',
        message: 'null value in column "id" of relation "parents" violates not-null constraint',
        details: 'Failing row contains (null, x, null, null).',
        hint: null,
      });
    });

    test('a failed check is refused, and null passes it', async () => {
      assert.equal(refusal(await data.send('POST', '/parents', { id: 70, a: -1 })), '400 23514');
      assert.equal((await data.send('POST', '/parents', { id: 70, a: null })).status, 201);
    });

    test('a check that speaks of now means the moment of the write', async () => {
      assert.equal((await data.send('POST', '/stamped', { id: 1, at: 'now' })).status, 201);
      assert.equal(refusal(await data.send('POST', '/stamped', { id: 2, at: 'tomorrow' })), '400 23514');
    });

    test('a generated column cannot be written', async () => {
      assert.equal(refusal(await data.send('POST', '/computed', { id: 1, made: 'x' })), '400 428C9');
      assert.equal((await data.send('POST', '/computed', { id: 1 })).status, 201);
      const answer = await data.send('PATCH', '/computed?id=eq.1', { made: 'x' });
      assert.equal(
        (answer.body as { message: string }).message,
        'column "made" can only be updated to DEFAULT',
      );
    });

    test('identities count on from what is there, and skip what a client chose', async () => {
      const insert = async (row: object): Promise<unknown> =>
        (await data.send('POST', '/cascading?select=id', row, { prefer: 'return=representation' })).body;
      assert.deepEqual(await insert({ note: 'a' }), [{ id: 1 }]);
      assert.deepEqual(await insert({ id: 40 }), [{ id: 40 }]);
      assert.deepEqual(await insert({ note: 'b' }), [{ id: 41 }]);
    });
  });
});
