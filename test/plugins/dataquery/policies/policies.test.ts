import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eachStore } from '../../../support/stores.js';
import {
  anIssuer,
  openGuarded,
  type GuardedAnswer,
  type GuardedData,
  type Who,
} from '../support/guarded-data.js';

const CATALOG = `
exposed: [public]
schemas:
  public:
    relations:
      teams: { columns: { id: { type: integer, required: true }, name: text }, primaryKey: [id] }
      memberships:
        columns: { user_id: { type: text, required: true }, team_id: { type: integer, required: true } }
        primaryKey: [user_id, team_id]
        foreignKeys: { memberships_team: { columns: [team_id], references: { relation: teams, columns: [id] } } }
        policies: { own: { using: { user_id: eq.$jwt.sub } } }
      todos:
        columns: { id: { type: integer, required: true }, user_id: text, team_id: integer, title: text, secret: text }
        primaryKey: [id]
        unique: { todos_title_key: [title] }
        checks: { short: { title: "match.^.{0,9}$" } }
        foreignKeys: { todos_team: { columns: [team_id], references: { relation: teams, columns: [id] } } }
        grants:
          anon: { select: [id, title] }
          service: { select: "*" }
          authenticated: { select: [id, user_id, team_id, title], insert: [id, user_id, team_id, title], update: [title, user_id], delete: true }
        policies:
          own: { to: [authenticated], using: { user_id: eq.$jwt.sub } }
          team: { for: select, to: [authenticated], using: { exists: { memberships: { team_id: eq.$row.team_id, user_id: eq.$jwt.sub } } } }
          public: { for: select, to: [anon], using: { title: like.p* } }
          all: { for: select, to: [service], using: true }
          mfa: { as: restrictive, for: delete, using: { $jwt.aal: eq.aal2 } }
      seen: { kind: view, from: todos, columns: { id: { base: id }, title: { base: title } } }
      shown: { kind: view, from: todos, definer: true, columns: { id: { base: id } } }
      whole: { kind: view, from: todos, columns: { id: { base: id }, secret: { base: secret } } }
    functions:
      titled: { args: { t: text }, returns: { setof: todos }, from: todos, where: { title: eq.$t } }
      counted: { args: {}, returns: { type: integer }, module: ./functions.js }
      counted_all: { args: {}, returns: { type: integer }, module: ./functions.js, export: counted, definer: true }
`;

const ROWS = {
  'public.teams': [
    { id: 1, name: 'one' },
    { id: 2, name: 'two' },
  ],
  'public.memberships': [
    { user_id: 'a', team_id: 1 },
    { user_id: 'b', team_id: 2 },
  ],
  'public.todos': [
    { id: 1, user_id: 'a', team_id: 2, title: 'mine', secret: 'x' },
    { id: 2, user_id: 'b', team_id: 1, title: 'team', secret: 'y' },
    { id: 3, user_id: 'b', team_id: 2, title: 'hidden', secret: 'z' },
    { id: 4, user_id: null, team_id: null, title: 'public', secret: null },
  ],
};

const MODULE = {
  'functions.js':
    "export async function counted({ db }) { return (await db.read('todos?select=id')).length; }",
};

const ann = { role: 'authenticated', sub: 'a' };
const bob = { role: 'authenticated', sub: 'b' };

eachStore('row policies and grants', (store) => {
  let data: GuardedData;
  const ends: (() => unknown)[] = [];
  before(async () => {
    const issuer = await anIssuer((stop) => ends.push(stop));
    data = await openGuarded(await store.fresh(), issuer, CATALOG, ROWS, MODULE);
  });
  after(async () => {
    await data.stop();
    for (const end of ends) await end();
  });

  const ids = async (who: Who, path: string): Promise<unknown> => {
    const { body, text } = await data.send(who, 'GET', path);
    assert.ok(Array.isArray(body), text);
    return body.map((row: { id: unknown }) => row.id);
  };
  const code = ({ status, body }: GuardedAnswer): string =>
    `${status} ${String((body as { code?: unknown }).code)}`;
  const refused = async (
    who: Who,
    method: string,
    path: string,
    body?: unknown,
    prefer?: string,
  ): Promise<string> =>
    code(
      await data.send(who, method, path, {
        ...(body === undefined ? {} : { body }),
        ...(prefer && { prefer }),
      }),
    );

  test('people see their own rows and those of their teams, and whoever comes without a token what is for everybody', async () => {
    assert.deepEqual(await ids(ann, '/todos?select=id&order=id'), [1, 2]);
    assert.deepEqual(await ids(bob, '/todos?select=id&order=id'), [1, 2, 3]);
    assert.deepEqual(await ids(undefined, '/todos?select=id&order=id'), [4]);
    assert.deepEqual(await ids({ role: 'other', sub: 'a' }, '/teams?select=id&order=id'), [1, 2]);
    assert.equal(await refused({ role: 'other', sub: 'a' }, 'GET', '/todos?select=id'), '403 42501');
  });

  test('a key is the role service, and one with data:bypass is above policies and grants', async () => {
    const service = await data.key('data:read', 'data:write');
    assert.deepEqual(await ids(service, '/todos?order=id'), [1, 2, 3, 4]);
    assert.equal(await refused(service, 'DELETE', '/todos?id=eq.1'), '403 42501');
    assert.deepEqual(await ids(data.bypass, '/memberships?select=id:team_id&order=team_id'), [1, 2]);
    assert.deepEqual(await ids(service, '/memberships?select=id:team_id'), []);
  });

  test('a column that is not granted is refused wherever a request names it, and the error names it', async () => {
    for (const path of [
      '/todos',
      '/todos?select=secret',
      '/todos?select=id&secret=eq.x',
      '/todos?select=id&or=(secret.like.x*,id.eq.1)',
      '/todos?select=id&order=secret',
      '/todos?select=secret.max()',
      '/todos?select=id,x:secret',
      '/todos?select=teams(id)',
      '/teams?select=id,todos(id)',
      '/teams?select=id,todos(count)&todos.team_id=eq.1',
      '/whole?select=id',
      '/rpc/titled?t=mine&select=id',
    ]) {
      const answer = await data.send(undefined, 'GET', path);
      assert.equal(code(answer), '401 42501', path);
      assert.match(String((answer.body as { details: string }).details), /"(secret|user_id|team_id)"/, path);
      assert.equal(answer.headers['www-authenticate'], 'Bearer');
    }
    assert.equal(await refused(ann, 'GET', '/todos?select=id&secret=is.null'), '403 42501');
    assert.equal(await refused(ann, 'PATCH', '/todos?id=eq.1', { secret: 'new' }), '403 42501');
    assert.equal(await refused(ann, 'POST', '/todos', { id: 9, user_id: 'a', secret: 'new' }), '403 42501');
    assert.equal(
      await refused(ann, 'PATCH', '/todos?id=eq.1', { title: 'new' }, 'return=representation'),
      '403 42501',
    );
  });

  test('hidden rows are in no count, no aggregate, no embed, no filter on an embed, and no error', async () => {
    const count = async (who: Who): Promise<unknown> =>
      (await data.send(who, 'HEAD', '/todos?select=id', { prefer: 'count=exact' })).headers['content-range'];
    assert.deepEqual(
      [await count(ann), await count(bob), await count(undefined)],
      ['0-1/2', '0-2/3', '0-0/1'],
    );
    const rows = async (who: Who, path: string): Promise<unknown> => (await data.send(who, 'GET', path)).body;
    assert.deepEqual(await rows(ann, '/todos?select=count()'), [{ count: 2 }]);
    assert.deepEqual(await rows(ann, '/todos?select=title.max()'), [{ max: 'team' }]);
    assert.deepEqual(await rows(ann, '/teams?select=id,todos(id)&order=id'), [
      { id: 1, todos: [{ id: 2 }] },
      { id: 2, todos: [{ id: 1 }] },
    ]);
    assert.deepEqual(await ids(ann, '/teams?select=id,todos!inner(id)&todos.title=eq.hidden'), []);
    assert.deepEqual(await ids(ann, '/teams?select=id,todos()&todos=count.gte.2'), []);
    assert.deepEqual(await ids(bob, '/teams?select=id,todos()&todos=count.gte.2'), [2]);
    assert.deepEqual(await ids(ann, '/todos?select=id&title=eq.hidden'), []);
    assert.equal(await refused(ann, 'GET', '/todos?select=id&id=eq.3', undefined), '200 undefined');
    const one = await data.send(ann, 'GET', '/todos?select=id&id=eq.3', {
      accept: 'application/vnd.pgrst.object+json',
    });
    assert.match(one.text, /The result contains 0 rows/);
    const csv = await data.send(ann, 'GET', '/todos?select=id,title&order=id', { accept: 'text/csv' });
    assert.equal(csv.text, 'id,title\n1,mine\n2,team');
  });

  test("views and functions have the rights of their caller, unless they are a definer's", async () => {
    assert.deepEqual(await ids(ann, '/seen?select=id&order=id'), [1, 2]);
    assert.deepEqual(await ids(undefined, '/seen?select=id'), [4]);
    assert.deepEqual(await ids(ann, '/shown?order=id'), [1, 2, 3, 4]);
    assert.equal((await data.send(ann, 'GET', '/rpc/counted')).text, '2');
    assert.equal((await data.send(ann, 'GET', '/rpc/counted_all')).text, '4');
  });

  test('writes touch visible rows alone, and what they store must pass', async () => {
    const state = await ids(data.bypass, '/todos?order=id');
    const changed = await data.send(ann, 'PATCH', '/todos?id=in.(1,2,3)&select=id', {
      body: { title: 'mine' },
      prefer: 'return=representation,tx=rollback',
    });
    assert.deepEqual(changed.body, [{ id: 1 }]);
    assert.equal(await refused(ann, 'PATCH', '/todos?id=eq.1', { user_id: 'b' }), '403 42501');
    assert.equal(await refused(ann, 'POST', '/todos', { id: 8, user_id: 'b' }), '403 42501');
    assert.equal(
      await refused(ann, 'POST', '/todos', [
        { id: 8, user_id: 'a' },
        { id: 9, user_id: null },
      ]),
      '403 42501',
    );
    assert.equal(await refused(undefined, 'DELETE', '/todos?id=eq.4'), '401 42501');
    // Without a second factor nothing is deleted, and the answer is that of no row.
    assert.equal(
      (await data.send(ann, 'DELETE', '/todos?id=eq.1', { prefer: 'count=exact' })).headers['content-range'],
      '*/0',
    );
    const sure = { ...ann, aal: 'aal2' };
    const gone = await data.send(sure, 'DELETE', '/todos?id=in.(1,3)&select=id', {
      prefer: 'return=representation,tx=rollback',
    });
    assert.deepEqual(gone.body, [{ id: 1 }]);
    assert.deepEqual(await ids(data.bypass, '/todos?order=id'), state);
  });

  test('an upsert onto a hidden row is refused, or leaves it where duplicates are ignored, and shows nothing of it', async () => {
    const row = { id: 3, user_id: 'a', title: 'taken' };
    assert.equal(
      await refused(
        { ...ann },
        'POST',
        '/todos?columns=id,user_id,title',
        row,
        'resolution=ignore-duplicates',
      ),
      '201 undefined',
    );
    const merged = await data.send(ann, 'POST', '/todos', {
      body: row,
      prefer: 'resolution=merge-duplicates',
    });
    // It may not update the column id at all.
    assert.equal(code(merged), '403 42501');
    const ignored = await data.send(ann, 'POST', '/todos?select=id', {
      body: row,
      prefer: 'resolution=ignore-duplicates,return=representation',
    });
    assert.deepEqual(ignored.body, []);
    assert.deepEqual((await data.send(data.bypass, 'GET', '/todos?id=eq.3&select=title,user_id')).body, [
      { title: 'hidden', user_id: 'b' },
    ]);
  });

  test('errors of constraints do not show values of hidden rows', async () => {
    const details = async (body: object): Promise<unknown> => {
      const answer = await data.send(ann, 'POST', '/todos', { body });
      return [code(answer), (answer.body as { details: unknown }).details];
    };
    assert.deepEqual(await details({ id: 9, user_id: 'a', title: 'hidden' }), ['409 23505', null]);
    assert.deepEqual(await details({ id: 9, user_id: 'a', team_id: 99 }), ['409 23503', null]);
    assert.deepEqual(await details({ id: 9, user_id: 'a', title: 'much too long' }), ['400 23514', null]);
    assert.deepEqual(await details({ user_id: 'a' }), ['400 23502', null]);
  });

  test('two people who ask the same URL get each their own answer, also the second time', async () => {
    const path = '/todos?select=id,title&order=title';
    for (let round = 0; round < 3; round += 1) {
      assert.deepEqual(await ids(ann, path), [1, 2]);
      assert.deepEqual(await ids(bob, path), [3, 1, 2]);
      assert.deepEqual(await ids(undefined, path), [4]);
      assert.deepEqual(await ids(data.bypass, path), [3, 1, 4, 2]);
    }
  });

  test('how rows are found is shown to nobody who does not see all of them', async () => {
    const accept = 'application/vnd.pgrst.plan+json';
    const explain = await data.key('data:read', 'data:explain');
    assert.equal(code(await data.send(explain, 'GET', '/todos', { accept })), '403 42501');
    const all = await data.key('data:read', 'data:explain', 'data:bypass');
    assert.equal((await data.send(all, 'GET', '/todos', { accept })).status, 200);
  });

  test('the description of the API shows what the caller may do', async () => {
    const shown = async (who: Who): Promise<unknown> => {
      const { body } = await data.send(who, 'GET', '/');
      const { definitions, paths } = body as {
        definitions: Record<string, { properties: object }>;
        paths: Record<string, object>;
      };
      return [Object.keys(definitions['todos']?.properties ?? {}), Object.keys(paths['/todos'] ?? {})];
    };
    assert.deepEqual(await shown(undefined), [['id', 'title'], ['get']]);
    assert.deepEqual(await shown({ role: 'other' }), [[], []]);
    assert.deepEqual(await shown(ann), [
      ['id', 'user_id', 'team_id', 'title'],
      ['get', 'post', 'patch', 'delete'],
    ]);
  });

  test('rows inside of rows are judged like others', async () => {
    const film = { id: 20, todos: [{ id: 21, user_id: 'b', title: 'of bob' }] };
    const before = await ids(data.bypass, '/teams?order=id');
    assert.equal(await refused(ann, 'POST', '/teams', film), '403 42501');
    assert.deepEqual(await ids(data.bypass, '/teams?order=id'), before);
    const own = await data.send(ann, 'POST', '/teams?select=id,todos(id)', {
      body: { id: 20, todos: [{ id: 21, user_id: 'a', title: 'of ann' }] },
      prefer: 'return=representation,tx=rollback',
    });
    assert.deepEqual(own.body, [{ id: 20, todos: [{ id: 21 }] }]);
  });

  test('the command says what a role may do, and how many rows it sees', async () => {
    const { stdout } = await data.server.command([
      'catalog',
      'policies',
      '--as',
      'authenticated',
      '--claims',
      '{"sub":"a"}',
    ]);
    assert.match(
      stdout,
      /public\.todos\n {2}select: id, user_id, team_id, title\n[^]*rows: 2 of 4\n {2}policy own for all using user_id=eq\.\$jwt\.sub/,
    );
    const wrong = await data.server.command(['catalog', 'policies', '--as', 'anon', '--claims', '[]']);
    assert.equal(wrong.code, 2);
  });
});
