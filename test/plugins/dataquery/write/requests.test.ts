import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { openData, refusal, type Data } from '../support/open-data.js';

const CATALOG = `
schemas:
  public:
    relations:
      people: { columns: { id: { type: integer, default: { generated: identity } }, name: { type: text, required: true, default: nobody }, email: text, big: bigint }, primaryKey: [id], unique: { people_email_key: [email] } }
      pets: { columns: { id: integer, owner: integer, kind: { type: text, default: cat } }, primaryKey: [id],
        foreignKeys: { pets_owner_fkey: { columns: [owner], references: { relation: people, columns: [id] }, onDelete: cascade } } }
      cats: { kind: view, from: pets, columns: { nr: { base: id }, keeper: { base: owner }, kind: { base: kind } }, where: { kind: eq.cat } }
`;
const ROWS = {
  'public.people': [
    { id: 1, name: 'Ada', email: 'ada@x.org', big: null },
    { id: 2, name: 'Bob', email: null, big: null },
  ],
  'public.pets': [
    { id: 1, owner: 1, kind: 'cat' },
    { id: 2, owner: 1, kind: 'dog' },
    { id: 3, owner: 2, kind: 'dog' },
  ],
};
const SHOWN = { prefer: 'return=representation' };

eachStore('a write', (store) => {
  let data: Data;
  before(async () => {
    data = await openData(await store.fresh(), CATALOG, ROWS);
  });
  beforeEach(() => data.restore());
  after(() => data.stop());

  describe('POST', () => {
    test('an empty array stores nothing, an empty object a row of defaults', async () => {
      const none = await data.send('POST', '/people', [], SHOWN);
      assert.deepEqual([none.status, none.body], [201, []]);
      const one = await data.send('POST', '/people?select=name,email', {}, SHOWN);
      assert.deepEqual(one.body, [{ name: 'nobody', email: null }]);
    });

    test('columns choose among the keys, and missing=default fills the rest', async () => {
      const rows = [{ id: 10, name: 'C', junk: 1 }, { id: 11 }];
      const answer = await data.send('POST', '/people?columns=id,name&select=id,name', rows, {
        prefer: 'return=representation, missing=default',
      });
      assert.deepEqual(answer.body, [
        { id: 10, name: 'C' },
        { id: 11, name: 'nobody' },
      ]);
      assert.equal(refusal(await data.send('POST', '/people?columns=id,name', [{ id: 12 }])), '400 23502');
      assert.equal(refusal(await data.send('POST', '/people?columns=nope', [{}])), '400 SVC204');
    });

    test('numbers beyond 2^53 are stored as they came', async () => {
      const answer = await data.server.inject({
        method: 'POST',
        url: '/people?select=big',
        headers: { prefer: 'return=representation' },
        payload: Buffer.from('{"big":9007199254740993}'),
      });
      assert.equal(answer.body, '[{"big":9007199254740993}]');
      const found = await data.server.inject('/people?select=name&big=gt.9007199254740992');
      assert.equal(found.body, '[{"name":"nobody"}]');
    });

    test('headers-only answers the place of the one row', async () => {
      const answer = await data.send('POST', '/people', { name: 'D' }, { prefer: 'return=headers-only' });
      assert.deepEqual([answer.status, answer.body], [201, undefined]);
      const location = String(answer.headers['location']);
      assert.match(location, /^\/people\?id=eq\.\d+$/);
      assert.deepEqual(await data.rows(`${location}&select=name`), [{ name: 'D' }]);
    });

    test('CSV and forms are rows too', async () => {
      const csv = await data.send('POST', '/people?select=name,email', 'name,email\nE,NULL\n"F, G",f@x.org', {
        ...SHOWN,
        'content-type': 'text/csv',
      });
      assert.deepEqual(csv.body, [
        { name: 'E', email: null },
        { name: 'F, G', email: 'f@x.org' },
      ]);
      const form = await data.send('POST', '/people?select=name', 'name=H+I', {
        ...SHOWN,
        'content-type': 'application/x-www-form-urlencoded',
      });
      assert.deepEqual(form.body, [{ name: 'H I' }]);
    });
  });

  describe('upsert', () => {
    const merge = { prefer: 'return=representation, resolution=merge-duplicates' };

    test('merges what is there and inserts the rest, in the order of the body', async () => {
      const answer = await data.send(
        'POST',
        '/people?select=id,name,email',
        [
          { id: 9, name: 'New' },
          { id: 1, name: 'Ada L.' },
        ],
        merge,
      );
      assert.equal(answer.status, 201);
      assert.deepEqual(answer.body, [
        { id: 9, name: 'New', email: null },
        { id: 1, name: 'Ada L.', email: 'ada@x.org' },
      ]);
    });

    test('answers 200 when all were there', async () => {
      assert.equal((await data.send('POST', '/people', { id: 1, name: 'Ada L.' }, merge)).status, 200);
    });

    test('by another unique constraint, and by nothing else', async () => {
      const row = { email: 'ada@x.org', name: 'Countess' };
      const answer = await data.send('POST', '/people?on_conflict=email&select=id,name', row, merge);
      assert.deepEqual(answer.body, [{ id: 1, name: 'Countess' }]);
      assert.equal(refusal(await data.send('POST', '/people?on_conflict=name', row, merge)), '400 42P10');
    });

    test('refuses the same key twice in one request, and stores nothing of it', async () => {
      const rows = [
        { id: 7, name: 'x' },
        { id: 7, name: 'y' },
      ];
      assert.equal(refusal(await data.send('POST', '/people', rows, merge)), '400 21000');
      const ignore = await data.send('POST', '/people?select=name', rows, {
        prefer: 'return=representation, resolution=ignore-duplicates',
      });
      assert.deepEqual(ignore.body, [{ name: 'x' }]);
    });
  });

  describe('PATCH and DELETE', () => {
    test('an inner join and a filter on what is embedded restrict the rows', async () => {
      const answer = await data.send(
        'PATCH',
        '/people?select=name,pets!inner(id)&pets.kind=eq.cat',
        { email: 'c@x.org' },
        SHOWN,
      );
      assert.deepEqual(answer.body, [{ name: 'Ada', pets: [{ id: 1 }] }]);
      assert.equal((await data.send('DELETE', '/people?select=id,pets!inner()&pets.id=eq.3')).status, 204);
      assert.deepEqual(await data.rows('/people?select=name'), [{ name: 'Ada' }]);
    });

    test('an anti-join too', async () => {
      await data.send('POST', '/people', { id: 5, name: 'Alone' });
      const answer = await data.send('DELETE', '/people?select=name,pets()&pets=is.null', undefined, SHOWN);
      assert.deepEqual(answer.body, [{ name: 'Alone' }]);
    });

    test('a limit bounds the rows that are changed or deleted, in the order that is asked for', async () => {
      const one = await data.send('PATCH', '/pets?order=id.desc&limit=1', { kind: 'fish' }, SHOWN);
      assert.deepEqual(
        (one.body as { id: number }[]).map(({ id }) => id),
        [3],
      );
      const first = await data.send('DELETE', '/pets?limit=1&offset=1', undefined, SHOWN);
      assert.deepEqual(
        (first.body as { id: number }[]).map(({ id }) => id),
        [2],
      );
      assert.equal(((await data.rows('/pets')) as unknown[]).length, 2);
    });

    test('an empty body changes nothing', async () => {
      const none = await data.send('PATCH', '/pets', {}, SHOWN);
      assert.deepEqual([none.status, none.body, none.headers['content-range']], [200, [], '*/*']);
    });

    test('the answer is ordered and holds what a cascade took', async () => {
      const answer = await data.send(
        'DELETE',
        '/people?order=id.desc&select=name,pets(id)',
        undefined,
        SHOWN,
      );
      assert.deepEqual(answer.body, [
        { name: 'Bob', pets: [{ id: 3 }] },
        { name: 'Ada', pets: [{ id: 1 }, { id: 2 }] },
      ]);
      assert.deepEqual(await data.rows('/pets'), []);
    });

    test('an empty body with a JSON content type is an empty body', async () => {
      const answer = await data.send('DELETE', '/pets?id=eq.1', undefined, {
        'content-type': 'application/json',
      });
      assert.deepEqual([answer.status, answer.headers['content-length']], [204, undefined]);
    });

    test('an unknown filter column refuses before anything changes', async () => {
      assert.equal(refusal(await data.send('DELETE', '/pets?nope=eq.1')), '400 42703');
      assert.equal(refusal(await data.send('DELETE', '/pets?select=nope')), '400 42703');
      assert.equal(((await data.rows('/pets')) as unknown[]).length, 3);
    });
  });

  describe('PUT', () => {
    test('inserts and then replaces the one row that its filters name', async () => {
      const row = { id: 8, name: 'Put', email: null };
      assert.equal((await data.send('PUT', '/people?id=eq.8', row)).status, 201);
      assert.equal((await data.send('PUT', '/people?id=eq.8', { ...row, name: 'Again' })).status, 204);
      assert.deepEqual(await data.rows('/people?id=eq.8&select=name'), [{ name: 'Again' }]);
    });

    test('is refused without exactly its key', async () => {
      const row = { id: 8, name: 'Put' };
      for (const filter of ['', '?id=gt.8', '?id=eq.8&name=eq.Put', '?or=(id.eq.8)', '?id=not.eq.8']) {
        assert.equal(refusal(await data.send('PUT', `/people${filter}`, row)), '405 SVC105', filter);
      }
      assert.equal(refusal(await data.send('PUT', '/people?id=eq.9', row)), '400 SVC115');
      assert.equal(refusal(await data.send('PUT', '/people?id=eq.8&limit=1', row)), '400 SVC114');
    });
  });

  describe('through a view', () => {
    test('changes the table under it, under the names of the view', async () => {
      const inserted = await data.send('POST', '/cats?select=nr,people(name)', { nr: 9, keeper: 2 }, SHOWN);
      assert.deepEqual(inserted.body, [{ nr: 9, people: { name: 'Bob' } }]);
      await data.send('PATCH', '/cats?nr=eq.1', { keeper: 2 });
      assert.deepEqual(await data.rows('/pets?id=in.(1,9)&order=id'), [
        { id: 1, owner: 2, kind: 'cat' },
        { id: 9, owner: 2, kind: 'cat' },
      ]);
    });

    test('touches only the rows that the view shows', async () => {
      await data.send('DELETE', '/cats');
      assert.deepEqual(await data.rows('/pets?select=kind'), [{ kind: 'dog' }, { kind: 'dog' }]);
    });
  });

  describe('that is refused or rolled back', () => {
    test('leaves nothing: tx=rollback shows what would have been', async () => {
      const answer = await data.send(
        'POST',
        '/people?select=name',
        { name: 'Ghost' },
        { prefer: 'return=representation, tx=rollback' },
      );
      assert.deepEqual(
        [answer.body, answer.headers['preference-applied']],
        [[{ name: 'Ghost' }], 'return=representation, tx=rollback'],
      );
      assert.deepEqual(await data.rows('/people?name=eq.Ghost'), []);
    });

    test('leaves nothing: more rows than max-affected', async () => {
      const answer = await data.send('DELETE', '/pets', undefined, {
        prefer: 'handling=strict, max-affected=2',
      });
      assert.deepEqual(answer.body, {
        code: 'SVC124',
        message: 'Query result exceeds max-affected preference constraint',
        details: 'The query affects 3 rows',
        hint: null,
      });
      assert.equal(((await data.rows('/pets')) as unknown[]).length, 3);
    });

    test('leaves nothing: a single object of several rows', async () => {
      const answer = await data.send(
        'PATCH',
        '/pets',
        { kind: 'x' },
        { accept: 'application/vnd.pgrst.object+json' },
      );
      assert.equal(refusal(answer), '406 SVC116');
      assert.deepEqual(await data.rows('/pets?kind=eq.x'), []);
    });
  });
});
