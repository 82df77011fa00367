import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { isServiceError } from 'plugboard/sdk';
import { eachStore } from '../../../support/stores.js';
import { openCinema, type Cinema } from '../cinema.js';

/** Requests that mostly make sense: names of the catalog where names belong, literals where literals do. */
const column = fc.constantFrom(
  'id',
  'title',
  'year',
  'rating',
  'score',
  'tags',
  'data',
  'notes',
  'awarded',
  'name',
  'number',
  'nope',
  'data->a->>b',
  'tags->0',
);
const relation = fc.constantFrom(
  'films',
  'directors',
  'actors',
  'roles',
  'recent_films',
  'newest_films',
  'directed_by',
  'director_id',
  'nope',
);
const literal = fc.constantFrom(
  '1',
  '1990',
  '7.9',
  'NaN',
  'Ran',
  '*a*',
  '',
  '{1,2}',
  '{a}',
  '{"a":1}',
  '1990-01-01',
  'true',
  '99999999999999999999',
  '(',
  '\\',
  '%',
  '💡',
);
const word = fc.constantFrom(
  'eq',
  'count.gte',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'match',
  'imatch',
  'isdistinct',
  'cs',
  'cd',
  'ov',
  'sl',
  'adj',
  'fts',
);
const operation = fc.oneof(
  fc
    .tuple(word, fc.constantFrom('', '(any)', '(all)'), literal)
    .map(([op, quantifier, value]) => `${op}${quantifier}.${value}`),
  fc.constantFrom(
    'is.null',
    'not.is.null',
    'is.true',
    'is.unknown',
    'in.()',
    'in.(1,2)',
    'not.in.(a,"b")',
    'not.eq.1',
  ),
);
const { select } = fc.letrec<{ select: string; item: string }>((tie) => ({
  select: fc.array(tie('item'), { minLength: 0, maxLength: 3 }).map((items) => items.join(',')),
  item: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(
      column,
      fc.constant('*'),
      fc.constant('count()'),
      column.map((name) => `${name}.max()`),
      column.map((name) => `x:${name}::text`),
    ),
    fc
      .tuple(
        fc.constantFrom('', 'a:', '...'),
        relation,
        fc.constantFrom('', '!inner', '!left', '!films_director', '!roles'),
        tie('select'),
      )
      .map(([prefix, name, hint, inner]) => `${prefix}${name}${hint}(${inner})`),
  ),
}));
const path = fc.constantFrom('', '', '', 'films.', 'directors.', 'a.', 'roles.films.');
const parameter = fc.oneof(
  fc.tuple(path, column, operation).map(([at, name, test]) => `${at}${name}=${test}`),
  fc
    .tuple(path, relation, fc.constantFrom('is.null', 'not.is.null', 'eq.1'))
    .map(([at, name, test]) => `${at}${name}=${test}`),
  fc
    .tuple(path, column, operation, column, operation)
    .map(([at, a, x, b, y]) => `${at}or=(${a}.${x},not.and(${b}.${y}))`),
  fc
    .tuple(path, column, fc.constantFrom('', '.desc', '.asc.nullsfirst', '.desc.nullslast'))
    .map(([at, name, way]) => `${at}order=${name}${way}`),
  fc.tuple(path, relation, column).map(([at, name, by]) => `${at}order=${name}(${by})`),
  fc
    .tuple(path, fc.constantFrom('limit', 'offset'), fc.integer({ min: -1, max: 4 }))
    .map(([at, what, count]) => `${at}${what}=${count}`),
);
const request = fc
  .tuple(
    fc.constantFrom('films', 'directors', 'actors', 'roles', 'recent_films', 'newest_films'),
    select,
    fc.array(parameter, { maxLength: 4 }),
  )
  .map(([name, selected, parameters]) => {
    const pairs = [`select=${selected}`, ...parameters].map((pair) => {
      const equals = pair.indexOf('=');
      return `${encodeURIComponent(pair.slice(0, equals))}=${encodeURIComponent(pair.slice(equals + 1))}`;
    });
    return `${name}?${pairs.join('&')}`;
  });

eachStore('any request', (store) => {
  let cinema: Cinema;
  before(async () => {
    cinema = await openCinema(await store.fresh());
  });
  after(() => cinema.stop());

  describe('of the grammar', () => {
    test('is answered with rows or refused by name, never by a fault', async () => {
      let answered = 0;
      await fc.assert(
        fc.asyncProperty(request, async (url) => {
          try {
            assert.ok(Array.isArray(await cinema.get(url)));
            answered += 1;
          } catch (error) {
            assert.ok(isServiceError(error), `${decodeURIComponent(url)}: ${(error as Error).stack}`);
            assert.ok(
              error.status >= 300 && error.status < 500,
              `${decodeURIComponent(url)}: ${error.status}`,
            );
          }
        }),
        { numRuns: 500 },
      );
      assert.ok(answered > 20, `only ${answered} requests were answered: the grammar is off`);
    });

    test('asks storage no more often than its levels, orders and conditions need', async () => {
      await fc.assert(
        fc.asyncProperty(select, async (selected) => {
          const answered = await cinema
            .get(`films?select=${encodeURIComponent(selected)}`)
            .catch(() => undefined);
          const embeds = selected.split('(').length - 1;
          if (answered !== undefined)
            assert.ok(cinema.calls <= 1 + 4 * embeds, `${selected}: ${cinema.calls} calls`);
        }),
        { numRuns: 100 },
      );
    });
  });
});
