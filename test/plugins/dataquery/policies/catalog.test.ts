import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCatalog } from '../../../../plugins/dataquery/engine/catalog/read.js';
import { claimsOf } from '../../../../plugins/dataquery/engine/policies/check.js';
import { schemaState } from '../../../../plugins/dataquery/engine/schema/schema-state.js';

const catalogWith = (todos: string, members = ''): string => `
exposed: [public]
schemas:
  public:
    relations:
      members: { columns: { user_id: text, team_id: integer }${members} }
      todos:
        columns: { id: integer, user_id: text, team_id: integer, tags: "text[]" }
        ${todos}
      seen: { kind: view, from: todos, columns: { id: { base: id } } }
`;

function problemOf(text: string): string {
  try {
    schemaState(readCatalog(text, 'catalog.yaml', '/', claimsOf).catalog);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}

for (const [name, todos, problem] of [
  [
    'a column that is not there',
    'policies: { p: { using: { owner: eq.1 } } }',
    /catalog\.yaml:9:21 error .*owner/,
  ],
  [
    'a literal of a wrong type',
    'policies: { p: { using: { id: eq.one } } }',
    /catalog\.yaml:9:21 error .*integer: "one"/,
  ],
  ['a name that makes no condition', 'policies: { p: { using: { limit: "1" } } }', /"limit" is no column/],
  [
    'a column of something else',
    'policies: { p: { using: { members.user_id: eq.a } } }',
    /"members.user_id" is no column/,
  ],
  [
    'a claim in a pattern',
    'policies: { p: { using: { user_id: like.$jwt.sub* } } }',
    /a claim is an operand/,
  ],
  [
    'a claim in a list that is a literal',
    'policies: { p: { using: { tags: "cs.{$jwt.sub}" } } }',
    /a claim is an operand of its own/,
  ],
  [
    'a claim in a full text search',
    'policies: { p: { using: { user_id: fts.$jwt.sub } } }',
    /a claim is an operand/,
  ],
  [
    'a row outside of exists',
    'policies: { p: { using: { user_id: eq.$row.id } } }',
    /a claim is an operand of its own/,
  ],
  [
    'an operator that is not there',
    'policies: { p: { using: { user_id: is.$jwt.sub } } }',
    /SVC100|failed to parse/,
  ],
  ['using for insert', 'policies: { p: { for: insert, using: { id: eq.1 }, check: true } }', /takes "check"/],
  ['check for select', 'policies: { p: { for: select, using: true, check: true } }', /takes "using" alone/],
  ['a policy without a rule', 'policies: { p: { to: [anon] } }', /needs "using"/],
  [
    'another relation that is not there',
    'policies: { p: { using: { exists: { teams: { id: eq.$row.id } } } } }',
    /no relation "public.teams"/,
  ],
  [
    'columns of different types',
    'policies: { p: { using: { exists: { members: { user_id: eq.$row.id } } } } }',
    /is not compared with/,
  ],
  [
    'a grant of a column that is not there',
    'grants: { anon: { select: [secret] } }',
    /catalog\.yaml:9:\d+ error .*no column "secret"/,
  ],
  [
    'a policy that asks for its own relation',
    'policies: { p: { using: { exists: { todos: { id: eq.$row.id } } } } }',
    /in a circle: todos -> todos/,
  ],
] as const) {
  test(`a problem of the catalog: ${name}`, () => assert.match(problemOf(catalogWith(todos)), problem));
}

test("policies that ask for each other in a circle are a problem, and through a definer's view they are none", () => {
  const members = ', policies: { m: { using: { exists: { todos: { team_id: eq.$row.team_id } } } } }';
  const todos = 'policies: { p: { using: { exists: { members: { team_id: eq.$row.team_id } } } } }';
  assert.match(problemOf(catalogWith(todos, members)), /members -> todos -> members/);
  assert.equal(problemOf(catalogWith(todos)), 'none');
  const own = 'policies: { p: { using: { exists: { seen: { id: eq.$row.id } } } } }';
  assert.match(problemOf(catalogWith(own)), /todos -> todos/);
  assert.equal(problemOf(catalogWith(own).replace('from: todos,', 'from: todos, definer: true,')), 'none');
});

test('a view with a base takes no policies', () => {
  const text = catalogWith('').replace('from: todos,', 'from: todos, policies: { p: { using: true } },');
  assert.match(problemOf(text), /has no policies of its own/);
});
