/** Rows of a person: exported and erased with everything else that is kept of them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DIRECTORY } from 'plugboard/sdk';
import { eachStore } from '../../support/stores.js';
import { anIssuer, openGuarded, type GuardedData, type Issuer } from './support/guarded-data.js';

const CATALOG = `
exposed: [public]
schemas:
  public:
    relations:
      lists:
        person: user_id
        columns: { id: integer, user_id: text, name: text, big: bigint }
        primaryKey: [id]
      todos:
        person: { column: owner, holds: user }
        columns: { id: integer, owner: text, list_id: integer }
        primaryKey: [id]
        foreignKeys: { todos_list_id_fkey: { columns: [list_id], references: { relation: lists, columns: [id] } } }
      parts:
        columns: { id: integer, list_id: integer }
        primaryKey: [id]
        foreignKeys:
          parts_list_id_fkey: { columns: [list_id], references: { relation: lists, columns: [id] }, onDelete: cascade }
      devices:
        person: { column: holder, issuer: app }
        columns: { id: integer, holder: uuid }
        primaryKey: [id]
      staff:
        person: { column: account, holds: number }
        columns: { id: integer, account: integer }
        primaryKey: [id]
`;

eachStore('rows of a person', (store) => {
  const stops: (() => unknown)[] = [];
  let issuer: Issuer;
  before(async () => {
    issuer = await anIssuer((stop) => stops.push(stop));
  });
  after(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  async function open(): Promise<GuardedData> {
    const data = await openGuarded(await store.fresh(), issuer, CATALOG);
    stops.push(() => data.stop());
    return data;
  }

  const read = async (data: GuardedData, path: string): Promise<unknown> =>
    (await data.send(data.bypass, 'GET', path)).body;

  async function write(data: GuardedData, path: string, body: unknown): Promise<void> {
    const { status, text } = await data.send(data.bypass, 'POST', path, { body });
    assert.equal(status, 201, text);
  }

  test('are those of the subject or the user that a column holds, with what refers to them', async () => {
    const data = await open();
    await write(data, '/lists', [
      { id: 1, user_id: 'ann', name: 'a "b"', big: '9007199254740993' },
      { id: 2, user_id: 'bob', name: 'b', big: null },
      { id: 3, user_id: 'ann', name: null, big: null },
    ]);
    await write(data, '/todos', [
      { id: 1, owner: 'app|ann', list_id: 1 },
      { id: 2, owner: 'app|bob', list_id: 2 },
      { id: 3, owner: 'ann', list_id: null },
    ]);
    await write(data, '/parts', [
      { id: 1, list_id: 1 },
      { id: 2, list_id: 2 },
    ]);
    const exported = await data.server.command(['people', 'export', 'app|ann']);
    const lines = exported.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    assert.deepEqual(lines, [
      {
        plugin: 'dataquery',
        schema: 'public',
        relation: 'lists',
        row: { id: 1, user_id: 'ann', name: 'a "b"', big: '9007199254740993' },
      },
      {
        plugin: 'dataquery',
        schema: 'public',
        relation: 'lists',
        row: { id: 3, user_id: 'ann', name: null, big: null },
      },
      {
        plugin: 'dataquery',
        schema: 'public',
        relation: 'todos',
        row: { id: 1, owner: 'app|ann', list_id: 1 },
      },
    ]);
    const erased = await data.server.command(['people', 'erase', 'app|ann']);
    assert.match(erased.stdout, /dataquery: 3 records/, erased.stderr);
    assert.deepEqual(await read(data, '/lists?select=id'), [{ id: 2 }]);
    assert.deepEqual(await read(data, '/todos?select=id'), [{ id: 2 }, { id: 3 }]);
    assert.deepEqual(await read(data, '/parts?select=id'), [{ id: 2 }]);
  });

  test('are more than one deletion takes', async () => {
    const data = await open();
    await write(
      data,
      '/lists',
      Array.from({ length: 1_203 }, (_, id) => ({ id, user_id: id < 1_200 ? 'a,n(n' : 'bob' })),
    );
    const erased = await data.server.command(['people', 'erase', 'app|a,n(n']);
    assert.match(erased.stdout, /dataquery: 1200 records/, erased.stderr);
    assert.deepEqual(await read(data, '/lists?select=id'), [{ id: 1_200 }, { id: 1_201 }, { id: 1_202 }]);
  });

  test('of columns of other types, and of people of the directory by their number', async () => {
    const data = await open();
    const uuid = '0b2bbd4e-6f0c-4c4e-9a5c-1f0e0c9f8a11';
    await write(data, '/devices', [{ id: 1, holder: uuid }]);
    await data.server.command(
      ['users', 'create', 'carl', '--password-stdin'],
      'carl climbs seven quiet hills',
    );
    const id = (await data.server.service(DIRECTORY).byLogin('carl'))?.id;
    await write(data, '/staff', [
      { id: 1, account: id },
      { id: 2, account: 999 },
    ]);
    const none = await data.server.command(['people', 'erase', 'app|ann']);
    assert.equal(none.code, 0, none.stderr);
    assert.match(
      (await data.server.command(['people', 'erase', `app|${uuid}`])).stdout,
      /dataquery: 1 records/,
    );
    const erased = await data.server.command(['people', 'erase', 'carl']);
    assert.match(erased.stdout, /dataquery: 1 records/, erased.stderr);
    assert.deepEqual(await read(data, '/devices'), []);
    assert.deepEqual(await read(data, '/staff?select=id'), [{ id: 2 }]);
  });

  test('a catalog that names another column than there is, is refused with its place', async () => {
    const wrong = CATALOG.replace('person: user_id', 'person: user').replace('holds: user', 'holds: login');
    await assert.rejects(openGuarded(await store.fresh(), issuer, wrong), (error: Error) => {
      assert.match(error.message, /no column "user" in "lists"/);
      assert.match(error.message, /must be one of "subject", "user", "number"/);
      return true;
    });
  });
});
