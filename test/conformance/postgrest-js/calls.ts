/** Every call of @supabase/postgrest-js, unmodified, over a real socket, against the demo catalog. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PostgrestClient } from '@supabase/postgrest-js';

export interface DataServer {
  /** The root of the data API. */
  readonly url: string;
  readonly headers: Record<string, string>;
  stop(): Promise<void>;
}

// The client is generic over a generated schema; these tests speak to it as a user without one does.
// oxlint-disable-next-line typescript/no-explicit-any
export type Client = PostgrestClient<any, { PostgrestVersion: '13' }, any>;

/** What the client answers, as far as the tests look at it. */
interface Answer<T = unknown> {
  readonly data: T;
  readonly error: { code: string; message: string; details: unknown; hint: unknown } | null;
  readonly count: number | null;
  readonly status: number;
}

/** The data of an answer without an error. */
async function data(query: PromiseLike<unknown>): Promise<unknown> {
  const answer = (await query) as Answer;
  assert.equal(answer.error, null);
  return answer.data;
}

async function failure(query: PromiseLike<unknown>): Promise<{ code: string; status: number }> {
  const { error, status } = (await query) as Answer;
  assert.ok(error, 'an error was expected');
  for (const key of ['code', 'message', 'details', 'hint']) assert.ok(key in error, `${key} is missing`);
  return { code: error.code, status };
}

export function defineCalls(open: () => Promise<DataServer>): void {
  let server: DataServer;
  let db: Client;
  before(async () => {
    server = await open();
    db = new PostgrestClient(server.url, { headers: server.headers });
  });
  after(() => server.stop());

  describe('select', () => {
    test('columns, aliases, casts and embedded resources', async () => {
      const query = db
        .from('films')
        .select('title, made:year::text, director:directors(name), actors(name)')
        .eq('title', 'Rashomon')
        .order('name', { referencedTable: 'actors' });
      assert.deepEqual(await data(query), [
        {
          title: 'Rashomon',
          made: '1950',
          director: { name: 'Akira Kurosawa' },
          actors: [{ name: 'Machiko Kyo' }, { name: 'Takashi Shimura' }, { name: 'Toshiro Mifune' }],
        },
      ]);
    });

    test('spreads, hints, inner joins and computed relationships', async () => {
      const query = db
        .from('films')
        .select('title, ...directors!films_director_id_fkey!inner(director:name), continues(title)')
        .eq('directors.country', 'US')
        .like('title', 'The Godfather*');
      assert.deepEqual(await data(query), [
        { title: 'The Godfather', director: 'Francis Ford Coppola', continues: null },
        {
          title: 'The Godfather Part II',
          director: 'Francis Ford Coppola',
          continues: { title: 'The Godfather' },
        },
      ]);
    });

    for (const count of ['exact', 'planned', 'estimated'] as const) {
      test(`count ${count}, with and without the rows`, async () => {
        const { count: withRows } = await db.from('films').select('*', { count }).limit(3);
        const head = await db.from('films').select('*', { count, head: true });
        assert.deepEqual([withRows, head.count, head.data], [70, 70, null]);
      });
    }

    test('from another schema is refused with the schemas there are', async () => {
      assert.deepEqual(await failure(db.schema('secret').from('films').select()), {
        code: 'SVC106',
        status: 406,
      });
    });

    test('of a schema by name', async () => {
      const rows = await data(db.schema('public').from('competitions').select('name').eq('id', 1));
      assert.deepEqual(rows, [{ name: 'Cannes' }]);
    });
  });

  describe('filters', () => {
    /** The titles of the films that a filter leaves. */
    type Films = ReturnType<typeof filmQuery>;
    const filmQuery = () => db.from('films').select('title').order('id');
    const titles = async (filter: (query: Films) => PromiseLike<unknown>): Promise<string[]> =>
      ((await data(filter(filmQuery()))) as { title: string }[]).map(({ title }) => title);

    const cases: readonly [name: string, filter: (query: Films) => PromiseLike<unknown>, titles: string[]][] =
      [
        ['eq', (films) => films.eq('title', 'Ran'), ['Ran']],
        ['neq and lt', (films) => films.neq('title', 'Metropolis').lt('year', 1929), ['Battleship Potemkin']],
        ['gt', (films) => films.gt('year', 2011), ['Parasite']],
        [
          'gte and lte',
          (films) => films.gte('year', 2006).lte('year', 2011),
          ['The Departed', 'A Separation'],
        ],
        ['like', (films) => films.like('title', '%Godfather'), ['The Godfather']],
        ['ilike', (films) => films.ilike('title', 'TAXI%'), ['Taxi Driver']],
        ['likeAllOf', (films) => films.likeAllOf('title', ['The%', '%Man']), ['The Third Man']],
        ['likeAnyOf', (films) => films.likeAnyOf('title', ['Ran', 'Iki%']), ['Ikiru', 'Ran']],
        ['ilikeAllOf', (films) => films.ilikeAllOf('title', ['the%', '%MAN']), ['The Third Man']],
        ['ilikeAnyOf', (films) => films.ilikeAnyOf('title', ['ran', 'IKI%']), ['Ikiru', 'Ran']],
        ['regexMatch', (films) => films.regexMatch('title', '^City .f'), ['City of God']],
        ['regexIMatch', (films) => films.regexIMatch('title', '^city o'), ['City of God']],
        ['is null', (films) => films.is('director_id', null), ['Untitled (lost footage)']],
        [
          'isDistinct',
          (films) => films.isDistinct('language', 'en').gte('year', 2011),
          ['A Separation', 'Parasite'],
        ],
        ['in', (films) => films.in('title', ['Paris, Texas', 'Ran']), ['Ran', 'Paris, Texas']],
        ['notIn', (films) => films.notIn('year', [1925, 1927]).lt('year', 1930), ['Untitled (lost footage)']],
        ['contains', (films) => films.contains('tags', ['horror', 'space']), ['Alien']],
        [
          'containedBy',
          (films) => films.containedBy('tags', ['samurai', 'epic']).contains('tags', ['samurai']),
          ['Seven Samurai', 'Yojimbo'],
        ],
        [
          'overlaps',
          (films) => films.overlaps('tags', ['animation', 'epic']),
          ['Seven Samurai', 'Spirited Away', 'Princess Mononoke'],
        ],
        ['match', (films) => films.match({ year: 1957, language: 'it' }), ['Nights of Cabiria']],
        [
          'not',
          (films) => films.not('language', 'in', '(en,ja,fr,it,de,sv)').gte('year', 2010),
          ['Parasite', 'A Separation'],
        ],
        ['or', (films) => films.or('title.eq.Ran,and(year.eq.1931,language.eq.de)'), ['Ran', 'M']],
        ['filter', (films) => films.filter('title', 'in', '("Paris, Texas",M)'), ['Paris, Texas', 'M']],
        ['range', (films) => films.range(1, 2), ['Rashomon', 'Ikiru']],
        ['limit', (films) => films.limit(1), ['Seven Samurai']],
      ];
    for (const [name, filter, expected] of cases) {
      test(name, async () => assert.deepEqual((await titles(filter)).toSorted(), expected.toSorted()));
    }

    test('on an embedded resource', async () => {
      const query = db
        .from('directors')
        .select('name, films(title)')
        .eq('name', 'Stanley Kubrick')
        .or('year.eq.1964,year.eq.1980', { referencedTable: 'films' })
        .order('year', { referencedTable: 'films', ascending: false })
        .limit(1, { referencedTable: 'films' });
      assert.deepEqual(await data(query), [{ name: 'Stanley Kubrick', films: [{ title: 'The Shining' }] }]);
    });

    test('for the absence of an embedded resource', async () => {
      const query = db.from('competitions').select('name, nominations()').is('nominations', null);
      assert.deepEqual(await data(query), [{ name: 'Locarno' }]);
    });
  });

  describe('modifiers', () => {
    test('order, also by a related column, with nulls first', async () => {
      const query = db
        .from('films')
        .select('title, directors(name)')
        .order('directors(name)', { ascending: true, nullsFirst: true })
        .order('year', { ascending: false })
        .limit(2);
      assert.deepEqual(await data(query), [
        { title: 'Untitled (lost footage)', directors: null },
        { title: 'Taste of Cherry', directors: { name: 'Abbas Kiarostami' } },
      ]);
    });

    test('single answers the row, and refuses none and several', async () => {
      assert.deepEqual(await data(db.from('films').select('title').eq('id', 1).single()), {
        title: 'Seven Samurai',
      });
      assert.deepEqual(await failure(db.from('films').select().single()), { code: 'SVC116', status: 406 });
      assert.deepEqual(await failure(db.from('films').select().eq('id', 0).single()), {
        code: 'SVC116',
        status: 406,
      });
    });

    test('maybeSingle answers null for no row', async () => {
      assert.equal(await data(db.from('films').select().eq('id', 0).maybeSingle()), null);
      assert.deepEqual(await data(db.from('films').select('id').eq('id', 1).maybeSingle()), { id: 1 });
    });

    test('csv answers text', async () => {
      const query = db.from('competitions').select('name,founded').in('id', [1, 2]).order('id').csv();
      assert.equal(await data(query), 'name,founded\nCannes,1946\nVenice,1932');
    });

    test('stripNulls leaves nulls out', async () => {
      const query = db.from('films').select('title,language').eq('title', 'Untitled (lost footage)');
      assert.deepEqual(await data(query.stripNulls()), [{ title: 'Untitled (lost footage)' }]);
    });

    test('geojson is refused in so many words', async () => {
      assert.deepEqual(await failure(db.from('films').select().geojson()), { code: 'SVC107', status: 406 });
    });

    test('explain answers the plan of a read, and that of a write is refused', async () => {
      const films = db.from('films').select('id').eq('id', 1);
      const [{ Plan: plan }] = (await data(films.explain({ format: 'json' }))) as [{ Plan: object }];
      assert.equal((plan as Record<string, unknown>)['Actual Rows'], 1);
      assert.match(String(await data(films.explain())), /actual rows=1/);
      const write = db.from('films').update({ title: 'x' }).eq('id', 1).select().explain({ format: 'json' });
      assert.equal((await failure(write)).status, 406);
    });

    test('overrideTypes and returns change nothing on the wire', async () => {
      const query = db.from('films').select('id').eq('id', 2).overrideTypes<{ id: number }[]>();
      assert.deepEqual(await data(query), [{ id: 2 }]);
    });
  });

  describe('writes', () => {
    test('insert of one row answers nothing, with select the row as it was stored', async () => {
      const first = await db.from('actors').insert({ name: 'Anna Karina' });
      assert.deepEqual([first.status, first.data, first.error], [201, null, null]);
      const { data: row } = await db.from('actors').insert({ name: 'Michel Subor' }).select('name').single();
      assert.deepEqual(row, { name: 'Michel Subor' });
    });

    test('insert of several rows with different keys: null, or the default when asked for', async () => {
      const rows = [
        { title: 'A', year: 1999 },
        { title: 'B', tags: ['x'] },
      ];
      const query = db
        .from('films')
        .insert(rows, { defaultToNull: false, count: 'exact' })
        .select('title,year,tags')
        .rollback();
      const answer = await query;
      assert.equal(answer.count, 2);
      assert.deepEqual(answer.data, [
        { title: 'A', year: 1999, tags: [] },
        { title: 'B', year: 2000, tags: ['x'] },
      ]);
      assert.deepEqual(await failure(db.from('films').insert(rows)), { code: '23502', status: 400 });
    });

    test('upsert merges, ignores, and takes the key that it is told', async () => {
      const merge = await db
        .from('competitions')
        .upsert({ id: 5, name: 'Locarno', founded: 1947 })
        .select('founded');
      assert.deepEqual([merge.status, merge.data], [200, [{ founded: 1947 }]]);
      const ignore = await db
        .from('competitions')
        .upsert([{ name: 'Locarno' }, { name: 'Sundance' }], {
          onConflict: 'name',
          ignoreDuplicates: true,
          defaultToNull: false,
        })
        .select('name');
      assert.deepEqual([ignore.status, ignore.data], [201, [{ name: 'Sundance' }]]);
    });

    test('update changes the rows of its filters and shows them with what they embed', async () => {
      const query = db
        .from('films')
        .update({ language: 'xx' }, { count: 'exact' })
        .eq('id', 1)
        .select('language, directors(name)');
      const answer = await query.rollback();
      assert.deepEqual(
        [answer.status, answer.count, answer.data],
        [200, 1, [{ language: 'xx', directors: { name: 'Akira Kurosawa' } }]],
      );
      assert.deepEqual(await data(db.from('films').select('language').eq('id', 1)), [{ language: 'ja' }]);
    });

    test('delete takes away what refers to the row, and shows it once more', async () => {
      const { data: film } = await db
        .from('films')
        .insert({ title: 'Short', year: 2001 })
        .select('id')
        .single();
      const id = (film as { id: number }).id;
      await db.from('technical_specs').insert({ film_id: id, runtime: 5 });
      const gone = await db.from('films').delete().eq('id', id).select('title, technical_specs(runtime)');
      assert.deepEqual(gone.data, [{ title: 'Short', technical_specs: { runtime: 5 } }]);
      assert.deepEqual(await data(db.from('technical_specs').select().eq('film_id', id)), []);
    });

    test('maxAffected rolls back what would change too much', async () => {
      const query = db.from('films').update({ language: 'xx' }).gt('id', 0).maxAffected(1);
      assert.deepEqual(await failure(query), { code: 'SVC124', status: 400 });
      assert.deepEqual(await data(db.from('films').select('id').eq('language', 'xx')), []);
    });

    test('single on a write that touches several rows rolls it back', async () => {
      const query = db.from('films').update({ language: 'xx' }).in('id', [1, 2]).select().single();
      assert.deepEqual(await failure(query), { code: 'SVC116', status: 406 });
      assert.deepEqual(await data(db.from('films').select('id').eq('language', 'xx')), []);
    });

    const refused: readonly [what: string, call: () => PromiseLike<unknown>, code: string, status: number][] =
      [
        ['a key that is there', () => db.from('actors').insert({ id: 1, name: 'x' }), '23505', 409],
        [
          'a reference to nothing',
          () => db.from('films').insert({ title: 'x', director_id: 9999 }),
          '23503',
          409,
        ],
        ['a row that is referred to', () => db.from('competitions').delete().eq('id', 1), '23503', 409],
        [
          'a null where one may not be',
          () => db.from('films').update({ title: null }).eq('id', 1),
          '23502',
          400,
        ],
        ['a row that fails a check', () => db.from('films').update({ year: 1 }).eq('id', 1), '23514', 400],
        [
          'a value of a wrong type',
          () => db.from('films').update({ year: 'soon' }).eq('id', 1),
          '22P02',
          400,
        ],
        ['an unknown column', () => db.from('films').insert({ titel: 'x' }), 'SVC204', 400],
        ['an unknown relation', () => db.from('film').insert({ title: 'x' }), 'SVC205', 404],
      ];
    for (const [what, call, code, status] of refused) {
      test(`${what} is refused with ${code}`, async () =>
        assert.deepEqual(await failure(call()), { code, status }));
    }
  });

  describe('rpc', () => {
    test('by POST with filters and embeds', async () => {
      const query = db
        .rpc('films_between', { min: 1925, max: 1927 })
        .select('title, directors(name)')
        .eq('year', 1927);
      assert.deepEqual(await data(query), [{ title: 'Metropolis', directors: { name: 'Fritz Lang' } }]);
    });

    test('by GET, with a default argument', async () => {
      const query = db.rpc('films_between', { min: 2012 }, { get: true }).select('title');
      assert.deepEqual(await data(query), [{ title: 'Parasite' }]);
    });

    test('the count alone', async () => {
      const answer = await db.rpc('films_between', { min: 1925, max: 1931 }, { head: true, count: 'exact' });
      assert.deepEqual([answer.count, answer.data], [5, null]);
    });

    test('a missing argument and an unknown function are refused', async () => {
      assert.deepEqual(await failure(db.rpc('films_between', {})), { code: 'SVC202', status: 404 });
      assert.deepEqual(await failure(db.rpc('nope')), { code: 'SVC202', status: 404 });
    });
  });
}
