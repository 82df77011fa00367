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
        columns: { id: { type: integer, default: { generated: identity } }, title: text, director: integer, writer: integer }
        primaryKey: [id]
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

  describe('refused, leave nothing behind', () => {
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

    test('in an upsert and in a change', async () => {
      const film = { id: 1, scenes: [{ nr: 5 }] };
      const merge = { prefer: 'resolution=merge-duplicates' };
      assert.equal(refusal(await data.send('POST', '/films', film, merge)), '400 SVC127');
      assert.equal(refusal(await data.send('PATCH', '/films?id=eq.1', { scenes: [] })), '400 SVC204');
    });
  });
});
