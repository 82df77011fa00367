import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isServiceError, type ServiceError } from 'plugboard/sdk';
import { readCatalog } from '../../../../plugins/dataquery/engine/catalog/read.js';
import { findRelationship } from '../../../../plugins/dataquery/engine/relationships/find.js';
import type { Relationship } from '../../../../plugins/dataquery/engine/relationships/relationship.js';
import { schemaCache } from '../../../../plugins/dataquery/engine/relationships/schema-cache.js';

const { catalog } = readCatalog(
  `
exposed: [public]
schemas:
  public:
    relations:
      directors: { columns: { id: integer, name: text }, primaryKey: [id] }
      films:
        columns: { id: integer, title: text, director_id: integer, sequel_of: integer }
        primaryKey: [id]
        foreignKeys:
          films_director: { columns: [director_id], references: { relation: directors, columns: [id] } }
          films_sequel: { columns: [sequel_of], references: { relation: films, columns: [id] } }
      actors: { columns: { id: integer, name: text }, primaryKey: [id] }
      roles:
        columns: { film_id: integer, actor_id: integer, character: text }
        primaryKey: [film_id, actor_id]
        foreignKeys:
          roles_film: { columns: [film_id], references: { relation: films, columns: [id] } }
          roles_actor: { columns: [actor_id], references: { relation: actors, columns: [id] } }
      budgets:
        columns: { film_id: integer, amount: integer }
        primaryKey: [film_id]
        foreignKeys:
          budgets_film: { columns: [film_id], references: { relation: films, columns: [id] } }
      orders:
        columns: { id: integer, billing_id: integer, shipping_id: integer }
        primaryKey: [id]
        foreignKeys:
          billing: { columns: [billing_id], references: { relation: addresses, columns: [id] } }
          shipping: { columns: [shipping_id], references: { relation: addresses, columns: [id] } }
      addresses: { columns: { id: integer }, primaryKey: [id] }
      recent_films:
        kind: view
        from: films
        columns: { id: { base: id }, name: { base: title }, director_id: { base: director_id }, again: { base: director_id } }
      recent_titles: { kind: view, from: recent_films, columns: { id: { base: id }, director: { base: director_id } } }
      lonely: { columns: { id: integer }, primaryKey: [id] }
    functions:
      directors_of:
        args: { film: { row: films } }
        returns: { setof: directors, rows: 1 }
        from: directors
        join: { id: film.director_id }
      actors:
        args: { film: { row: films } }
        returns: { setof: actors }
        from: actors
        where: { id: is.null }
`,
  'cinema.yaml',
  '/',
);
const cache = schemaCache(catalog);
const relations = catalog.schemas.get('public')!.relations;

function find(origin: string, target: string, hint?: string): Relationship {
  return findRelationship(cache, 'public', relations.get(origin)!, target, hint);
}

function refusal(origin: string, target: string, hint?: string): ServiceError {
  try {
    find(origin, target, hint);
  } catch (error) {
    assert.ok(isServiceError(error));
    return error;
  }
  assert.fail('it was found');
}

describe('a relationship', () => {
  test('is many-to-one along a foreign key and one-to-many against it', () => {
    assert.equal(find('films', 'directors').kind, 'many-to-one');
    assert.equal(find('directors', 'films').kind, 'one-to-many');
  });

  test('is one-to-one where the foreign key is a key itself, from both sides', () => {
    assert.equal(find('budgets', 'films').kind, 'one-to-one');
    assert.equal(find('films', 'budgets').kind, 'one-to-one');
  });

  test('is many-to-many through a relation whose primary key holds two foreign keys', () => {
    const relationship = find('actors', 'films');
    assert.ok(relationship.kind === 'many-to-many');
    assert.equal(relationship.junction.name, 'roles');
    assert.deepEqual(relationship.near.columns, [['id', 'actor_id']]);
    assert.deepEqual(relationship.far.columns, [['film_id', 'id']]);
  });

  test('is found by its constraint, and by the column of its foreign key', () => {
    for (const name of ['films_director', 'director_id'])
      assert.equal(find('films', name).target.name, 'directors');
    for (const hint of ['billing', 'billing_id']) {
      const relationship = find('orders', 'addresses', hint);
      assert.ok(relationship.kind === 'many-to-one');
      assert.equal(relationship.constraint, 'billing');
    }
  });

  test('of a relation with itself is the many by its name and the one by its column', () => {
    assert.equal(find('films', 'films').kind, 'one-to-many');
    assert.equal(find('films', 'sequel_of').kind, 'many-to-one');
    assert.equal(find('films', 'films', 'sequel_of').kind, 'one-to-many');
  });

  test('is computed by a function, which hides the detected ones to the relation of its name', () => {
    assert.equal(find('films', 'directors_of').kind, 'computed');
    assert.equal(find('films', 'actors').kind, 'computed');
    assert.equal(find('actors', 'films').kind, 'many-to-many');
  });

  test('reaches through views and chains of views', () => {
    assert.equal(find('recent_titles', 'directors').kind, 'many-to-one');
    assert.equal(find('directors', 'recent_titles').kind, 'one-to-many');
    assert.equal(find('roles', 'recent_films').kind, 'many-to-one');
    assert.equal(find('recent_films', 'actors').kind, 'many-to-many');
  });
});

describe('a relationship that cannot be found', () => {
  test('is refused with the closest name among the related relations', () => {
    const error = refusal('films', 'director');
    assert.equal(error.code, 'SVC200');
    assert.equal(error.status, 400);
    assert.equal(
      error.fields.details,
      "Searched for a foreign key relationship between 'films' and 'director' in the schema 'public', but no matches were found.",
    );
    assert.equal(error.fields.hint, "Perhaps you meant 'directors' instead of 'director'.");
  });

  test('names the hint that did not match, and suggests nothing', () => {
    const error = refusal('films', 'directors', 'nope');
    assert.match(String(error.fields.details), /'directors' using the hint 'nope' in the schema/);
    assert.equal(error.fields.hint, null);
  });
});

describe('an ambiguous relationship', () => {
  test('lists its candidates in a fixed order, and how to name each', () => {
    const error = refusal('orders', 'addresses');
    assert.equal(error.code, 'SVC201');
    assert.equal(error.status, 300);
    assert.equal(
      error.message,
      "Could not embed because more than one relationship was found for 'orders' and 'addresses'",
    );
    assert.deepEqual(error.fields.details, [
      {
        cardinality: 'many-to-one',
        embedding: 'orders with addresses',
        relationship: 'billing using orders(billing_id) and addresses(id)',
      },
      {
        cardinality: 'many-to-one',
        embedding: 'orders with addresses',
        relationship: 'shipping using orders(shipping_id) and addresses(id)',
      },
    ]);
    assert.equal(
      error.fields.hint,
      "Try changing 'addresses' to one of the following: 'addresses!billing', 'addresses!shipping'. Find the desired relationship in the 'details' key.",
    );
  });

  test('arises from a base column that a view selects twice', () => {
    assert.equal(refusal('recent_films', 'directors').code, 'SVC201');
  });
});
