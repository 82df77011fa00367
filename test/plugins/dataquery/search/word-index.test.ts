import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { openData, type Data } from '../support/open-data.js';

const catalog = (text: string): string => `
exposed: [public]
schemas:
  public:
    relations:
      notes:
        columns: { id: integer, text: ${text}, doc: jsonb, words: { type: tsvector, search: simple } }
        primaryKey: [id]
      plain: { columns: { id: integer, text: text, doc: jsonb, words: tsvector }, primaryKey: [id] }
`;
const PLAIN = 'text';
const SEARCHED = '{ type: text, search: english }';

const TEXTS = [
  'The quick brown fox jumps over the lazy dog',
  'Foxes are quick, dogs are not',
  'A dog and another dog',
  '',
  null,
  'over and over',
  'quick dog brown',
];
const rows = TEXTS.map((text, id) => ({
  id,
  text,
  doc: text === null ? null : { a: [text] },
  words: id % 2 === 0 ? "'cat':1A 'rat':2" : "'rat':3",
}));
const SEARCHES = [
  'text=fts.fox',
  'text=plfts.quick dog',
  'text=fts.quick|over',
  'text=fts.quick%26!fox',
  'text=fts.!dog',
  'text=not.fts.dog',
  'text=phfts.brown fox',
  'text=wfts."brown fox" or dogs',
  'text=fts.qui:*',
  'text=fts(simple).dogs',
  'text=fts.the',
  'doc=fts.fox',
  'words=fts(simple).cat',
  'words=fts(simple).cat:A',
  'words=fts(simple).cat:B',
  'or=(text.fts.fox,text.is.null)',
];

/** Every search answers as it does where nothing is indexed. */
async function compare(data: Data): Promise<void> {
  for (const search of SEARCHES) {
    for (const rest of ['order=id', 'order=id.desc&limit=2', 'limit=3']) {
      const query = encodeURI(`?select=id,text&${search}&${rest}`).replaceAll('%2526', '%26');
      assert.deepEqual(
        await data.rows(`/notes${query}`),
        await data.rows(`/plain${query}`),
        `${search}&${rest}`,
      );
    }
  }
}

eachStore('an index of words', (store) => {
  test('a language is asked for in the search, and kept by its index', async () => {
    const of = (search: string): string => `schemas:
    public:
      relations:
        notes: { columns: { id: integer, text: ${search} }, primaryKey: [id] }
  `;
    const rows = {
      'public.notes': [
        { id: 1, text: 'Les chevaux courent' },
        { id: 2, text: 'Der Hund' },
      ],
    };
    for (const column of ['text', '{ type: text, search: french }']) {
      const data = await openData(await store.fresh(), of(column), rows);
      assert.deepEqual(await data.rows('/notes?select=id&text=fts(french).cheval'), [{ id: 1 }], column);
      assert.deepEqual(await data.rows('/notes?select=id&text=fts(german).hunde'), [{ id: 2 }], column);
      assert.deepEqual(await data.rows('/notes?select=id&text=fts(simple).cheval'), [], column);
      await data.stop();
    }
  });

  test('finds what a search without one finds, through inserts, changes and deletions', async (t) => {
    const data = await openData(await store.fresh(), catalog(SEARCHED), {
      'public.notes': rows,
      'public.plain': rows,
    });
    t.after(() => data.stop());
    await compare(data);
    for (const relation of ['notes', 'plain']) {
      await data.send('POST', `/${relation}`, [{ id: 20, text: 'A fox in the brown box' }, { id: 21 }]);
      await data.send('PATCH', `/${relation}?id=eq.0`, { text: 'nothing of that' });
      await data.send('PATCH', `/${relation}?id=eq.1`, { text: null });
      await data.send('PUT', `/${relation}?id=eq.2`, {
        id: 2,
        text: 'dogs over foxes',
        doc: 'fox',
        words: null,
      });
      await data.send('DELETE', `/${relation}?id=eq.6`);
    }
    await compare(data);
    assert.deepEqual(await data.rows('/notes?id=eq.2'), await data.rows('/plain?id=eq.2'));
  });

  test('is made of the rows that are there by a migration', async (t) => {
    const data = await openData(await store.fresh(), catalog(PLAIN), {
      'public.notes': rows,
      'public.plain': rows,
    });
    t.after(() => data.stop());
    await writeFile(join(data.directory, 'catalog.yaml'), catalog(SEARCHED));
    const plan = await data.server.command(['catalog', 'plan']);
    assert.equal(plan.stdout, 'public.notes: new index of the words of text (english) (7 rows)\n');
    const done = await data.server.command(['catalog', 'migrate']);
    assert.equal(done.code, 0, done.stderr);
    await compare(data);
  });
});

test('a column without words cannot be searched', async () => {
  await assert.rejects(
    openData({ use: 'embedded' } as never, catalog('{ type: integer, search: english }')),
    /"search" takes a column of text, json or tsvector, not integer/,
  );
});
