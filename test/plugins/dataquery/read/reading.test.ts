import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isServiceError } from 'plugboard/sdk';
import { eachStore } from '../../../support/stores.js';
import { openCinema, type Cinema } from '../cinema.js';

eachStore('reading', (store) => {
  let cinema: Cinema;
  before(async () => {
    cinema = await openCinema(await store.fresh());
  });
  after(() => cinema.stop());

  const ids = async (request: string): Promise<unknown[]> => {
    const separator = request.includes('?') ? '&' : '?';
    const rows = (await cinema.get(`${request}${separator}select=id`)) as { id: unknown }[];
    return rows.map(({ id }) => id);
  };
  const refused = async (request: string): Promise<string> => {
    try {
      await cinema.get(request);
    } catch (error) {
      assert.ok(isServiceError(error), String(error));
      return error.code;
    }
    assert.fail(`${request} was not refused`);
  };

  describe('a filter', () => {
    const cases: [filter: string, ids: number[]][] = [
      ['year=eq.1985', [2]],
      ['year=neq.1985', [1, 3, 5]],
      ['year=not.eq.1985', [1, 3, 5]],
      ['year=gt.1985', [3, 5]],
      ['year=not.gt.1985', [1, 2]],
      ['year=in.(1962,2000)', [1, 3]],
      ['year=not.in.(1962,2000)', [2, 5]],
      ['year=in.()', []],
      ['year=is.null', [4]],
      ['year=not.is.null', [1, 2, 3, 5]],
      ['year=isdistinct.1985', [1, 3, 4, 5]],
      ['year=not.isdistinct.1985', [2]],
      ['or=(year.lt.1970,year.gt.1995)', [1, 3]],
      ['not.or=(year.lt.1970,year.gt.1995)', [2, 5]],
      ['and=(year.gt.1970,or(title.eq.Ran,title.eq.Dreams))', [2, 5]],
      ['not.and=(year.gt.1970,title.neq.Ran)', [1, 2]],
      ['rating=gt.7.9', [2, 5]],
      ['rating=lte.7.90', [1, 3]],
      ['score=gt.0', [1, 2]],
      ['score=lt.0', [3]],
      ['title=like.*a*', [2, 3, 4, 5]],
      ['title=not.like.*a*', [1]],
      ['title=ilike.r*', [2]],
      ['title=like(any).{R*,D*}', [2, 5]],
      ['title=like(all).{*r*,*m*}', [5]],
      ['title=match.^[CR]', [1, 2]],
      ['title=not.imatch.^[cr]', [3, 4, 5]],
      ['year=eq(any).{1962,1985}', [1, 2]],
      ['year=gt(all).{1962,1985}', [3, 5]],
      ['tags=cs.{paris}', [1, 3]],
      ['tags=cs.{"a,b"}', [1]],
      ['tags=cd.{paris,"a,b",x}', [1, 2]],
      ['tags=ov.{x,paris}', [1, 3]],
      ['tags=eq.{}', [2]],
      ['data=cs.{"a":{"b":[1]}}', [1]],
      ['data->a->>b=eq.x', [2]],
      ['data->n=eq.1', [1]],
      ['data->a->b->>1=eq.2', [1]],
      ['awarded=is.true', [1, 5]],
      ['awarded=not.is.true', [2, 3, 4]],
      ['awarded=is.unknown', [3, 4]],
      ['released=gte.1990-01-01', [5]],
    ];
    for (const [filter, expected] of cases) {
      test(`${filter} finds ${expected.join(', ') || 'nothing'}`, async () => {
        assert.deepEqual(await ids(`films?${filter}`), expected);
      });
    }

    test('is refused when its literal or operator does not fit the column', async () => {
      assert.equal(await refused('films?year=eq.soon'), '22P02');
      assert.equal(await refused('films?year=like.19*'), '42883');
      assert.equal(await refused('films?notes=eq.{}'), '42883');
      assert.equal(await refused('films?year=is.true'), '42804');
      assert.equal(await refused('films?nope=eq.1'), '42703');
      assert.equal(await refused('films?title=match.('), '2201B');
      assert.equal(await refused('films?year=fts.ran'), '42883');
    });
  });

  describe('order', () => {
    test('puts nulls last when ascending and first when descending, unless told otherwise', async () => {
      assert.deepEqual(await ids('films?order=year'), [1, 2, 5, 3, 4]);
      assert.deepEqual(await ids('films?order=year.desc'), [4, 3, 5, 2, 1]);
      assert.deepEqual(await ids('films?order=year.nullsfirst'), [4, 1, 2, 5, 3]);
      assert.deepEqual(await ids('films?order=year.desc.nullslast'), [3, 5, 2, 1, 4]);
    });

    test('with a window crosses from values to nulls', async () => {
      assert.deepEqual(await ids('films?order=year&limit=2&offset=3'), [3, 4]);
      assert.deepEqual(await ids('films?order=year.desc&limit=2'), [4, 3]);
      assert.deepEqual(await ids('films?order=year.desc&limit=2&offset=1'), [3, 5]);
      assert.deepEqual(await ids('films?order=year&limit=2&offset=5'), []);
    });

    test('compares numbers as numbers, also decimal ones, and NaN as the greatest', async () => {
      assert.deepEqual(await ids('films?order=rating.desc.nullslast'), [5, 2, 1, 3, 4]);
      assert.deepEqual(await ids('films?order=score.nullslast&score=not.is.null'), [3, 1, 2]);
    });

    test('follows to-one relations, one or several levels', async () => {
      assert.deepEqual(
        await ids('films?select=id,directors()&order=directors(name).desc,id'),
        [4, 2, 5, 1, 3],
      );
      const roles = await cinema.get(
        'roles?select=film_id,films(directors())&order=films(directors(name)),film_id',
      );
      assert.deepEqual(roles, [{ film_id: 1 }, { film_id: 2 }, { film_id: 5 }, { film_id: 5 }]);
      assert.equal(await refused('films?order=directors(name)'), 'SVC108');
      assert.equal(await refused('directors?select=id,films(id)&order=films(id)'), 'SVC118');
    });
  });

  describe('an embed', () => {
    test('is an object or null to one, an array to many, through a junction too', async () => {
      assert.deepEqual(
        await cinema.get('films?id=in.(1,4)&select=id,directors(name),roles(character),actors(name)'),
        [
          {
            id: 1,
            directors: { name: 'Agnès Varda' },
            roles: [{ character: 'Cléo' }],
            actors: [{ name: 'Corinne' }],
          },
          { id: 4, directors: null, roles: [], actors: [] },
        ],
      );
    });

    test('has its own filter, order, limit and offset', async () => {
      assert.deepEqual(
        await cinema.get('directors?select=name,f:films(title)&f.order=title.desc&f.limit=1&id=lt.3'),
        [
          { name: 'Agnès Varda', f: [{ title: 'Gleaners' }] },
          { name: 'Akira Kurosawa', f: [{ title: 'Ran' }] },
        ],
      );
      assert.deepEqual(
        await cinema.get('actors?select=films(id)&films.order=id&films.offset=1&films.year=gt.1970'),
        [{ films: [] }, { films: [{ id: 5 }] }, { films: [] }],
      );
    });

    test('when inner drops parents without rows, upwards through inner ones only', async () => {
      assert.deepEqual(await ids('directors?select=id,films!inner(id)&films.year=gt.1995'), [1]);
      assert.deepEqual(
        await cinema.get(
          'directors?select=id,films!inner(id,roles!inner(character))&films.roles.character=eq.Snow',
        ),
        [{ id: 2, films: [{ id: 5, roles: [{ character: 'Snow' }] }] }],
      );
      assert.deepEqual(
        await cinema.get('directors?select=id,films(id,roles!inner())&films.roles.character=eq.Snow'),
        [
          { id: 1, films: [] },
          { id: 2, films: [{ id: 5 }] },
          { id: 3, films: [] },
        ],
      );
    });

    test('is counted: rows that pass its filters, whatever its window, through a junction too', async () => {
      const counted: readonly (readonly [request: string, ids: number[]])[] = [
        ['directors?select=id,films()&films=count.gte.2', [1, 2]],
        ['directors?select=id,films()&films=count.eq.0', [3]],
        ['directors?select=id,films()&films=not.count.eq.2', [3]],
        ['directors?select=id,films()&films=count.neq.0&films.year=gt.1985', [1, 2]],
        ['directors?select=id,films()&films=count.lt.2&films.year=gt.1985', [1, 2, 3]],
        ['directors?select=id,f:films()&f=count.gt.1&f.limit=1', [1, 2]],
        ['films?select=id,actors()&actors=count.gte.2', [5]],
        ['films?select=id,actors()&actors=count.lte.1&order=id', [1, 2, 3, 4]],
        ['films?select=id,actors(),roles()&or=(actors.count.gt.1,roles.not.count.gte.1)', [3, 4, 5]],
        ['films?select=id,directors()&directors=count.eq.0', [4]],
        ['directors?select=id,directed_by()&directed_by=count.gt.1', [1, 2]],
      ];
      for (const [request, wanted] of counted) {
        const rows = (await cinema.get(request)) as { id: number }[];
        assert.deepEqual(
          rows.map(({ id }) => id),
          wanted,
          request,
        );
      }
      assert.equal(await refused('directors?films=count.gte.1'), 'SVC108');
      assert.equal(await refused('directors?select=id,films()&films=count.like.1'), 'SVC100');
      assert.equal(await refused('directors?select=id,films()&films=count.gte.x'), 'SVC100');
    });

    test('is asked for by null filters, alone and inside or', async () => {
      assert.deepEqual(await cinema.get('directors?select=id,films()&films=is.null'), [{ id: 3 }]);
      assert.deepEqual(await cinema.get('actors?select=id,films()&films=not.is.null'), [
        { id: 1 },
        { id: 2 },
      ]);
      assert.deepEqual(
        await cinema.get('films?select=id,directors(),actors()&or=(directors.is.null,actors.is.null)'),
        [{ id: 3 }, { id: 4 }],
      );
    });

    test('is addressed by its alias before any other embed of the relation', async () => {
      assert.deepEqual(
        await cinema.get('directors?select=old:films(id),films(id)&films.year=gt.1995&id=eq.1'),
        [{ old: [{ id: 1 }, { id: 3 }], films: [{ id: 3 }] }],
      );
    });

    test('as a spread lifts keys to one, and makes aligned arrays to many', async () => {
      assert.deepEqual(await cinema.get('films?select=id,...directors(by:name)&id=in.(1,4)'), [
        { id: 1, by: 'Agnès Varda' },
        { id: 4, by: null },
      ]);
      assert.deepEqual(
        await cinema.get('actors?select=...roles(character,...films(title))&roles.order=film_id'),
        [
          { character: ['Cléo', 'Snow'], title: ['Cléo', 'Dreams'] },
          { character: ['Hidetora', null], title: ['Ran', 'Dreams'] },
          { character: [], title: [] },
        ],
      );
    });

    test('of a computed relationship applies the conditions of its function', async () => {
      assert.deepEqual(await cinema.get('directors?select=id,directed_by(id)&id=lt.3'), [
        { id: 1, directed_by: [{ id: 1 }, { id: 3 }] },
        { id: 2, directed_by: [{ id: 2 }, { id: 5 }] },
      ]);
    });

    test('is refused beyond the limits on depth and number', async () => {
      const code = async (request: string, limits: object): Promise<unknown> =>
        cinema.get(request, limits).catch((error: unknown) => (isServiceError(error) ? error.code : error));
      assert.equal(await code('films?select=id,roles(actors(id))', { maxDepth: 1 }), 'SVC129');
      assert.equal(await code('films?select=id,roles(film_id),actors(id)', { maxEmbeds: 1 }), 'SVC129');
      assert.deepEqual(await cinema.get('films?select=id,roles(film_id)&order=id.desc', { maxRows: 1 }), [
        { id: 5, roles: [{ film_id: 5 }] },
      ]);
    });
  });

  test('a view is read through its base, under its own names and conditions', async () => {
    assert.deepEqual(await cinema.get('recent_films?select=number,directors(name)&name=like.D*'), [
      { number: 5, directors: { name: 'Akira Kurosawa' } },
    ]);
    assert.deepEqual(await cinema.get('newest_films?since=lt.2100'), [
      { number: 3, since: 2000, director_id: 1 },
    ]);
    assert.deepEqual(await cinema.get('directors?select=id,newest_films!inner(number)'), [
      { id: 1, newest_films: [{ number: 3 }] },
    ]);
  });

  test('values are printed by their types, cast, and taken from documents', async () => {
    assert.equal(
      await cinema.text('films?id=eq.2&select=id,rating,score,tags,data,released,n:id::text,b:data->a->>b'),
      '[{"id":2,"rating":8.2,"score":"NaN","tags":[],"data":{"a": {"b": "x"}},"released":"1985-06-01","n":"2","b":"x"}]',
    );
    assert.equal(
      await cinema.text('films?id=eq.3&select=id,year,rating,data,notes', true),
      '[{"id":3,"year":2000,"rating":7.7,"notes":{}}]',
    );
  });

  test('embeds are spaced as jsonb is, and not so without their nulls', async () => {
    assert.equal(
      await cinema.text('directors?id=lt.3&select=id,films(id,tags)&films.order=id'),
      '[{"id":1,"films":[{"id": 1, "tags": ["paris","a,b"]}, {"id": 3, "tags": ["paris",null]}]},' +
        '{"id":2,"films":[{"id": 2, "tags": []}, {"id": 5, "tags": null}]}]',
    );
    assert.equal(
      await cinema.text('films?id=eq.2&select=id,tags,directors(name)', true),
      '[{"id":2,"tags":[],"directors":{"name":"Akira Kurosawa"}}]',
    );
  });

  test('aggregates group by the other values', async () => {
    assert.deepEqual(
      await cinema.get('films?select=director_id,count(),year.max(),rating.avg()&order=director_id'),
      [
        { director_id: 1, count: 2, max: 2000, avg: 7.8 },
        { director_id: 2, count: 2, max: 1990, avg: 9.1 },
        { director_id: null, count: 1, max: null, avg: null },
      ],
    );
    assert.deepEqual(await cinema.get('directors?select=id,films(count())'), [
      { id: 1, films: [{ count: 2 }] },
      { id: 2, films: [{ count: 2 }] },
      { id: 3, films: [{ count: 0 }] },
    ]);
    assert.deepEqual(
      await cinema.get('films?select=director_id,...directors(name,known:id.count())&order=director_id'),
      [
        { director_id: 1, name: 'Agnès Varda', known: 2 },
        { director_id: 2, name: 'Akira Kurosawa', known: 2 },
        { director_id: null, name: null, known: 0 },
      ],
    );
    const code = await cinema
      .get('films?select=count()', { aggregates: false })
      .catch((error: unknown) => error);
    assert.ok(isServiceError(code) && code.code === 'SVC123');
  });

  test('storage is asked once per level and twice through a junction, however many rows there are', async () => {
    const calls: [request: string, calls: number][] = [
      ['films?select=*&year=gt.1&order=id', 1],
      ['films?limit=100', 1],
      ['films?limit=100&select=id,directors(name)', 2],
      ['directors?limit=100&select=id,films(id,roles(actors(name)))', 4],
      ['films?limit=100&select=id,actors(name)&actors.limit=1', 3],
      ['directors?limit=100&select=id,films!inner(id)&films.year=gt.1970', 3],
      ['films?limit=100&select=id,directors()', 1],
    ];
    for (const [request, expected] of calls) {
      await cinema.get(request);
      assert.equal(cinema.calls, expected, request);
    }
  });
});
