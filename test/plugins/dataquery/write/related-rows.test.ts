import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import { openData, refusal, type Data } from '../support/open-data.js';

const CATALOG = `
schemas:
  public:
    relations:
      people: { columns: { id: { type: integer, default: { generated: identity } }, name: { type: text, required: true } }, primaryKey: [id] }
      films:
        columns: { id: { type: integer, default: { generated: identity } }, title: text, year: integer, director: integer, writer: integer }
        primaryKey: [id]
        unique: { film_title: [title] }
        foreignKeys:
          film_director: { columns: [director], references: { relation: people, columns: [id] } }
          film_writer: { columns: [writer], references: { relation: people, columns: [id] } }
      specs: { columns: { film: integer, minutes: integer }, primaryKey: [film],
        foreignKeys: { spec_film: { columns: [film], references: { relation: films, columns: [id] } } } }
      scenes: { columns: { film: integer, nr: integer, place: { type: text, default: studio } }, primaryKey: [film, nr],
        checks: { scene_nr: { nr: gt.0 } },
        foreignKeys: { scene_film: { columns: [film], references: { relation: films, columns: [id] } } } }
      takes: { columns: { film: integer, nr: integer, take: integer }, primaryKey: [film, nr, take],
        foreignKeys: { take_scene: { columns: [film, nr], references: { relation: scenes, columns: [film, nr] } } } }
      tags: { columns: { word: text }, primaryKey: [word] }
      tagged: { columns: { film: integer, word: text }, primaryKey: [film, word],
        foreignKeys: {
          tagged_film: { columns: [film], references: { relation: films, columns: [id] } },
          tagged_word: { columns: [word], references: { relation: tags, columns: [word] } } } }
      shown: { kind: view, from: films, columns: { number: { base: id }, name: { base: title } } }
`;

eachStore('rows inside of rows', (store) => {
  let data: Data;
  before(async () => {
    data = await openData(await store.fresh(), CATALOG, {}, { maxDepth: 2 });
  });
  after(() => data.stop());
  const shown = { prefer: 'return=representation' };

  test('of every kind of relationship are stored with the row that holds them', async () => {
    const film = {
      title: 'Ran',
      'people!film_director': { name: 'Kurosawa' },
      specs: { minutes: 162 },
      scenes: [
        { nr: 1, takes: [{ take: 1 }, { take: 2 }] },
        { nr: 2, place: 'Mount Fuji' },
      ],
      tags: [{ word: 'epic' }, { word: 'war' }],
    };
    const select = 'title,people!film_director(name),specs(minutes),scenes(nr,place,takes(take)),tags(word)';
    const answer = await data.send('POST', `/films?select=${select}`, film, shown);
    assert.equal(answer.status, 201);
    assert.deepEqual(answer.body, [
      {
        title: 'Ran',
        people: { name: 'Kurosawa' },
        specs: { minutes: 162 },
        scenes: [
          { nr: 1, place: 'studio', takes: [{ take: 1 }, { take: 2 }] },
          { nr: 2, place: 'Mount Fuji', takes: [] },
        ],
        tags: [{ word: 'epic' }, { word: 'war' }],
      },
    ]);
  });

  test('each belong to their own of many rows', async () => {
    const films = [
      { title: 'A', scenes: [{ nr: 1 }, { nr: 2 }] },
      { title: 'B', scenes: [] },
      { title: 'C', scenes: [{ nr: 3 }] },
    ];
    const answer = await data.send(
      'POST',
      '/films?select=title,scenes(nr)&columns=title,scenes',
      films,
      shown,
    );
    assert.deepEqual(answer.body, [
      { title: 'A', scenes: [{ nr: 1 }, { nr: 2 }] },
      { title: 'B', scenes: [] },
      { title: 'C', scenes: [{ nr: 3 }] },
    ]);
  });

  test('go into a view as into the table under it', async () => {
    const answer = await data.send(
      'POST',
      '/shown?select=name,scenes(nr)',
      { name: 'V', scenes: [{ nr: 9 }] },
      shown,
    );
    assert.deepEqual(answer.body, [{ name: 'V', scenes: [{ nr: 9 }] }]);
  });

  describe('in an upsert', () => {
    const merge = { prefer: 'resolution=merge-duplicates, return=representation' };
    const select =
      '/films?select=title,year,people!film_director(id,name),scenes(nr,place),tags(word)&scenes.order=nr';
    const film = {
      id: 500,
      title: 'Dreams',
      year: 1990,
      'people!film_director': { id: 500, name: 'Kurosawa' },
      scenes: [{ nr: 1, place: 'a field' }, { nr: 2 }],
      tags: [{ word: 'dream' }],
    };
    const upsert = (body: unknown, path = select, headers = merge) => data.send('POST', path, body, headers);

    test('are inserted, and merged by their keys when they come again', async () => {
      const made = await upsert(film);
      assert.equal(made.status, 201);
      const again = await upsert({
        id: 500,
        title: 'Dreams!',
        'people!film_director': { id: 500, name: 'Akira Kurosawa' },
        scenes: [{ nr: 2, place: 'a tunnel' }, { nr: 3 }, { nr: 1 }],
        tags: [{ word: 'dream' }, { word: 'colour' }],
      });
      assert.equal(again.status, 200);
      assert.deepEqual(again.body, [
        {
          title: 'Dreams!',
          year: 1990,
          people: { id: 500, name: 'Akira Kurosawa' },
          scenes: [
            { nr: 1, place: 'a field' },
            { nr: 2, place: 'a tunnel' },
            { nr: 3, place: 'studio' },
          ],
          tags: [{ word: 'dream' }, { word: 'colour' }],
        },
      ]);
    });

    test('belong to the row that is known by on_conflict', async () => {
      const { body } = await upsert(
        { title: 'Dreams!', scenes: [{ nr: 4, place: 'a mill' }] },
        '/films?select=id,scenes(place)&scenes.nr=eq.4&on_conflict=title',
      );
      assert.deepEqual(body, [{ id: 500, scenes: [{ place: 'a mill' }] }]);
    });

    test('may be shared by the rows that hold them, with the same values', async () => {
      const shared = { id: 501, name: 'Shared' };
      const two = [
        { id: 510, title: 'one', 'people!film_director': shared },
        { id: 511, title: 'two', 'people!film_director': shared },
      ];
      assert.equal((await upsert(two)).status, 201);
      assert.deepEqual(await data.rows('/films?select=id&director=eq.501&order=id'), [
        { id: 510 },
        { id: 511 },
      ]);
      const other = [two[0], { ...two[1], 'people!film_director': { id: 501, name: 'Another' } }];
      assert.equal(refusal(await upsert(other)), '400 21000');
      assert.equal(refusal(await upsert([two[0], two[0]])), '400 21000');
    });

    test('that ignores duplicates are added, and leave what is there', async () => {
      const ignore = { prefer: 'resolution=ignore-duplicates' };
      const body = { id: 510, title: 'changed', scenes: [{ nr: 7 }], tags: [{ word: 'dream' }] };
      assert.equal((await upsert(body, '/films', ignore)).status, 201);
      assert.equal((await upsert(body, '/films', ignore)).status, 201);
      assert.deepEqual(await data.rows('/films?select=title,scenes(nr),tags(word)&id=eq.510'), [
        { title: 'one', scenes: [{ nr: 7 }], tags: [{ word: 'dream' }] },
      ]);
    });

    test('are all refused with one of them', async () => {
      const bad = { id: 520, title: 'bad', tags: [{ word: 'bad' }], scenes: [{ nr: 0 }] };
      assert.equal(refusal(await upsert(bad)), '400 23514');
      assert.deepEqual(await data.rows('/films?id=eq.520'), []);
      assert.deepEqual(await data.rows('/tags?word=eq.bad'), []);
      const unknown = await upsert({ title: 'x', scenes: [] }, '/films?on_conflict=year');
      assert.equal(refusal(unknown), '400 42P10');
    });
  });

  describe('refused, store nothing', () => {
    const refused: readonly [what: string, row: object, code: string, message: RegExp][] = [
      ['a wrong child', { scenes: [{ nr: 1 }, { nr: 0 }] }, '400 23514', /"scene_nr"/],
      ['a child that is there twice', { scenes: [{ nr: 1 }, { nr: 1 }] }, '409 23505', /"scenes_pkey"/],
      ['a parent without a name', { 'people!film_director': {} }, '400 23502', /column "name"/],
      [
        'a name that means two relationships',
        { people: { name: 'x' } },
        '300 SVC201',
        /more than one relationship/,
      ],
      ['an unknown name', { sceens: [] }, '400 SVC204', /'sceens' column of 'films'/],
      ['an unknown name below', { scenes: [{ nr: 1, x: 1 }] }, '400 SVC204', /'x' column of 'scenes'/],
      ['one row for many', { scenes: { nr: 1 } }, '400 SVC102', /'scenes' takes an array of objects/],
      ['many rows for one', { specs: [{ minutes: 1 }] }, '400 SVC102', /'specs' takes an object/],
      [
        'a key that the parent decides',
        { scenes: [{ nr: 1, film: 7 }] },
        '400 SVC102',
        /'film' is decided by the row that holds 'scenes'/,
      ],
      [
        'a key that the child decides',
        { director: 1, 'people!film_director': { name: 'x' } },
        '400 SVC102',
        /'director' is decided by the row under/,
      ],
    ];
    for (const [what, row, code, message] of refused) {
      test(what, async () => {
        const before = await data.rows('/films?select=id');
        const people = await data.rows('/people?select=id');
        const answer = await data.send('POST', '/films', row);
        assert.equal(refusal(answer), code);
        assert.match((answer.body as { message: string }).message, message);
        assert.deepEqual(await data.rows('/films?select=id'), before);
        assert.deepEqual(await data.rows('/people?select=id'), people);
      });
    }

    test('deeper than the config allows', async () => {
      const films = [{ scenes: [{ nr: 1, takes: [{ take: 1 }] }] }];
      const answer = await data.send('POST', '/people', { name: 'x', 'films!film_director': films });
      assert.equal(refusal(answer), '400 SVC129');
      assert.deepEqual(await data.rows('/people?name=eq.x'), []);
    });

    test('in a change', async () => {
      assert.equal(refusal(await data.send('PATCH', '/films?id=eq.1', { scenes: [] })), '400 SVC204');
    });
  });
});
