import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { relationOf } from '../../../../plugins/dataquery/engine/catalog/model.js';
import { readCatalog } from '../../../../plugins/dataquery/engine/catalog/read.js';

/** The first line of every problem. */
function problemsOf(text: string): string[] {
  try {
    readCatalog(text, 'c.yaml', '/');
  } catch (error) {
    return (error as Error).message.split('\n').filter((line) => line.startsWith('c.yaml:'));
  }
  return [];
}

const FILMS = `
schemas:
  public:
    relations:
      films: { columns: { id: { type: integer, required: true, default: { generated: identity } }, title: text }, primaryKey: [id] }
`;

describe('a catalog', () => {
  test('gives columns their types, defaults and storage fields', () => {
    const { catalog } = readCatalog(
      `schemas: { s: { relations: { t: { columns: { 'a.b': { type: 'int4[]', default: '{1,2}' }, n: numeric } } } } }`,
      'c.yaml',
      '/',
    );
    const column = relationOf(catalog, { schema: 's', relation: 't' })?.columns.get('a.b');
    assert.deepEqual(catalog.exposed, ['s']);
    assert.equal(column?.type.name, 'integer[]');
    assert.equal(column?.field, 'a~2eb');
    assert.deepEqual(column?.default, { kind: 'value', value: [1, 2] });
  });

  test('gives a view the types, the fields and the key of the table under it', () => {
    const { catalog } = readCatalog(
      `${FILMS}
      recent: { kind: view, from: films, columns: { nr: { base: id }, name: { base: title } } }
      newest: { kind: view, from: recent, columns: { number: { base: nr } } }`,
      'c.yaml',
      '/',
    );
    const view = relationOf(catalog, { schema: 'public', relation: 'newest' });
    assert.deepEqual(view?.primaryKey, ['number']);
    assert.equal(view?.columns.get('number')?.type.name, 'integer');
    assert.equal(view?.columns.get('number')?.field, 'id');
    assert.equal(view?.collection, undefined);
  });

  test('warns of a type that nobody knows, and takes it', () => {
    const { warnings } = readCatalog(
      'schemas: { s: { relations: { t: { columns: { g: geometry } } } } }',
      'c.yaml',
      '/',
    );
    assert.match(warnings, /c\.yaml:1:49 warning .*unknown type "geometry": its values pass as they are/);
  });

  test('keeps two relations of similar names apart in storage', () => {
    const { catalog } = readCatalog(
      `schemas: { s: { relations: { 'A b': { columns: { x: text } }, 'a B': { columns: { x: text } }, a_b: { columns: { x: text } } } } }`,
      'c.yaml',
      '/',
    );
    const names = [...(catalog.schemas.get('s')?.relations.values() ?? [])].map(
      ({ collection }) => collection,
    );
    assert.equal(new Set(names).size, 3);
    for (const name of names) assert.match(name ?? '', /^[a-z0-9_]+$/);
  });
});

describe('a mistake in a catalog is told with its place', () => {
  const cases: readonly [what: string, text: string, problem: string][] = [
    [
      'broken YAML',
      'schemas: {',
      'c.yaml:1:11 error Flow map in block collection must be sufficiently indented and end with a }',
    ],
    ['no schemas', 'exposed: [a]', 'c.yaml:1:1 error the key "schemas" is missing'],
    [
      'an unknown key',
      `${FILMS}    functon: {}`,
      'c.yaml:6:5 error schemas.public.functon: unknown key "functon"; did you mean "functions"? (allowed: comment, domains, relations, functions)',
    ],
    [
      'an exposed schema that is not there',
      `exposed: [pubic]${FILMS}`,
      'c.yaml:1:11 error exposed[0]: no schema "pubic"; did you mean "public"?',
    ],
    [
      'a default of a wrong type',
      'schemas: { s: { relations: { t: { columns: { n: { type: integer, default: x } } } } } }',
      'c.yaml:1:75 error schemas.s.relations.t.columns.n.default: invalid input syntax for type integer: "x"',
    ],
    [
      'a default of the moment at which the file is read',
      'schemas: { s: { relations: { t: { columns: { n: { type: timestamptz, default: now } } } } } }',
      'c.yaml:1:79 error schemas.s.relations.t.columns.n.default: a default "now" would be one value for all rows: write { generated: now }',
    ],
    [
      'a default that names a generator',
      'schemas: { s: { relations: { t: { columns: { n: { type: uuid, default: uuid } } } } } }',
      'c.yaml:1:72 error schemas.s.relations.t.columns.n.default: a default "uuid" would be one value for all rows: write { generated: uuid }',
    ],
    [
      'a key column that is not there',
      'schemas: { s: { relations: { t: { columns: { id: integer }, primaryKey: [idd] } } } }',
      'c.yaml:1:73 error schemas.s.relations.t.primaryKey: no column "idd" in "t"; did you mean "id"?',
    ],
    [
      'a foreign key to nothing',
      `${FILMS}      t: { columns: { f: integer }, foreignKeys: { fk: { columns: [f], references: { relation: film, columns: [id] } } } }`,
      'c.yaml:6:52 error schemas.public.relations.t.foreignKeys.fk: no relation "public.film"; did you mean "films"?',
    ],
    [
      'a foreign key to no key',
      `${FILMS}      t: { columns: { f: text }, foreignKeys: { fk: { columns: [f], references: { relation: films, columns: [title] } } } }`,
      'c.yaml:6:49 error schemas.public.relations.t.foreignKeys.fk: (title) is neither the primary key nor a unique constraint of "films"',
    ],
    [
      'a view in a circle',
      'schemas: { s: { relations: { a: { kind: view, from: b, columns: { x: { base: x } } }, b: { kind: view, from: a, columns: { x: { base: x } } } } } }',
      'c.yaml:1:127 error schemas.s.relations.b.columns.x: views in a circle: a -> b -> a',
    ],
    [
      'a check of a column that is not there',
      'schemas: { s: { relations: { t: { columns: { id: integer }, checks: { c: { ix: gt.0 } } } } } }',
      'c.yaml:1:71 error schemas.s.relations.t.checks.c: no column "ix" in "t"; did you mean "id"?',
    ],
    [
      'a join of nothing',
      `${FILMS}    functions: { f: { args: { film: { row: films } }, returns: { setof: films }, join: { id: movie.id } } }`,
      'c.yaml:6:94 error schemas.public.functions.f.join.id: must be a column of a row argument, like "film.id"',
    ],
  ];
  for (const [what, text, problem] of cases) {
    test(what, () => assert.equal(problemsOf(text)[0], problem));
  }

  test('all of them together, in the order of the file', () => {
    const found = problemsOf(
      'exposed: [x]\nschemas: { s: { relations: { t: { colums: {}, kind: tabel } } } }',
    );
    assert.deepEqual(
      found.map((line) => line.split(' ')[0]),
      ['c.yaml:1:11', 'c.yaml:2:33', 'c.yaml:2:35', 'c.yaml:2:53'],
    );
  });
});
