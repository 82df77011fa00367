import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eachStore } from '../../support/stores.js';
import { ANN, authorizationServer, basic, BEN, PASSWORD, type AuthorizationServer } from './support.js';

interface Shown {
  readonly id: number;
  readonly url: string;
  readonly token: string;
  readonly note: string | null;
  readonly scopes: string[];
  readonly updated_at: string;
}

interface Refused {
  readonly message: string;
  readonly errors?: { readonly code: string; readonly field: string; readonly message?: string }[];
  readonly documentation_url: string;
}

eachStore('authorizations of users', (store) => {
  let server: AuthorizationServer;
  before(async () => {
    server = await authorizationServer({ storage: await store.fresh() });
  });
  after(() => server.stop());

  const create = (note: string, more: object = {}, who = ANN) =>
    server.call<Shown>('POST', '/authorizations', who, { note, ...more });

  test('a personal authorization is created with a location and read as it was made', async () => {
    const body = { scopes: ['repo', 'gist', 'repo'], note_url: 'https://ann.example/why' };
    const { status, headers, body: made } = await create('laptop', body);
    assert.equal(status, 201);
    assert.match(made.token, /^[0-9a-f]{40}$/);
    assert.equal(headers['location'], made.url);
    assert.deepEqual(made, {
      id: made.id,
      url: `http://localhost/authorizations/${made.id}`,
      app: { name: 'laptop', url: 'http://localhost/authorizations', client_id: '0'.repeat(20) },
      token: made.token,
      note: 'laptop',
      note_url: 'https://ann.example/why',
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
      scopes: ['repo', 'gist'],
    });
    const read = await server.call<Shown>('GET', `/authorizations/${made.id}`, ANN);
    assert.deepEqual(read.body, made);
    assert.equal(read.headers['cache-control'], 'private, no-store');
  });

  test('a Host header that no address can hold does no harm', async () => {
    for (const host of ['a b', 'x:99999', '[', 'a.1.2.3.999']) {
      const list = await server.call('GET', '/authorizations?per_page=1', ANN, undefined, { host });
      assert.equal(list.status, 200, host);
      const made = await server.call<Shown>('POST', '/authorizations', ANN, { note: `of ${host}` }, { host });
      assert.equal(made.body.url, `http://localhost/authorizations/${made.body.id}`);
    }
  });

  test('the note of a personal authorization is unique for its user', async () => {
    await create('twice');
    const again = await create('twice');
    assert.equal(again.status, 422);
    assert.deepEqual(again.body as unknown, {
      message: 'Validation Failed',
      errors: [{ resource: 'OauthAccess', code: 'already_exists', field: 'description' }],
      documentation_url: 'https://developer.github.com/v3/oauth_authorizations/',
    });
    assert.equal((await create('twice', {}, BEN)).status, 201);
    const other = await create('once');
    const renamed = await server.call<Refused>('PATCH', `/authorizations/${other.body.id}`, ANN, {
      note: 'twice',
    });
    assert.deepEqual([renamed.status, renamed.body.errors?.[0]?.code], [422, 'already_exists']);
  });

  test('twenty at once with one note make one authorization', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('race', {}, BEN)));
    assert.deepEqual(
      answers
        .map(({ status }) => status)
        .toSorted()
        .slice(0, 2),
      [201, 422],
    );
  });

  test('another user sees nothing of it', async () => {
    const { body } = await create('hidden');
    for (const [method, payload] of [['GET'], ['PATCH', { note: 'x' }], ['DELETE']] as const) {
      const answer = await server.call<Refused>(method, `/authorizations/${body.id}`, BEN, payload);
      assert.deepEqual([answer.status, answer.body.message], [404, 'Not Found']);
    }
    assert.equal((await server.call('GET', '/authorizations/none', ANN)).status, 404);
  });

  test('a change replaces, adds or removes scopes, one of the three at a time', async () => {
    const { body: made } = await create('changing', { scopes: ['repo'] });
    const change = (body: object) => server.call<Shown & Refused>('PATCH', made.url.slice(16), ANN, body);
    server.clock.time += 1000;
    assert.deepEqual((await change({ add_scopes: ['gist', 'repo'] })).body.scopes, ['repo', 'gist']);
    assert.deepEqual((await change({ remove_scopes: ['repo', 'nothing'] })).body.scopes, ['gist']);
    const { body } = await change({ scopes: ['user'], note: 'changed', note_url: null });
    assert.deepEqual(
      [body.scopes, body.note, body.updated_at],
      [['user'], 'changed', '2026-01-01T00:00:01Z'],
    );
    const two = await change({ scopes: [], add_scopes: ['repo'] });
    assert.equal(two.status, 422);
    assert.deepEqual([two.body.errors?.[0]?.code, two.body.errors?.[0]?.field], ['custom', 'scopes']);
  });

  test('changes at once are all kept', async () => {
    const { body: made } = await create('many changes');
    const scopes = ['repo', 'gist', 'user', 'notifications', 'read:org'];
    await Promise.all(
      scopes.map((scope) => server.call('PATCH', made.url.slice(16), ANN, { add_scopes: [scope] })),
    );
    const { body } = await server.call<Shown>('GET', made.url.slice(16), ANN);
    assert.deepEqual(body.scopes.toSorted(), scopes.toSorted());
  });

  test('a deleted authorization and its token are gone', async () => {
    const { body: made } = await create('deleted');
    assert.equal((await server.call('GET', '/mine', `token ${made.token}`)).status, 200);
    assert.equal((await server.call('DELETE', `/authorizations/${made.id}`, ANN)).status, 204);
    assert.equal((await server.call('DELETE', `/authorizations/${made.id}`, ANN)).status, 404);
    assert.equal((await server.call('GET', '/mine', `token ${made.token}`)).status, 401);
  });

  test('pages follow each other by Link, whatever page and per_page hold', async () => {
    const carla = basic('carla', PASSWORD);
    await server.command(['users', 'create', 'carla', '--password-stdin'], `${PASSWORD}\n`);
    for (let at = 0; at < 5; at += 1) await create(`page ${at}`, {}, carla);
    const list = (query: string) => server.call<Shown[]>('GET', `/authorizations${query}`, carla);
    const first = await list('?per_page=2');
    assert.deepEqual(
      first.body.map(({ note }) => note),
      ['page 0', 'page 1'],
    );
    const at = (page: number) => `<http://localhost/authorizations?per_page=2&page=${page}>`;
    assert.equal(first.headers['link'], `${at(2)}; rel="next", ${at(3)}; rel="last"`);
    const last = await list('?per_page=2&page=3');
    assert.deepEqual(
      last.body.map(({ note }) => note),
      ['page 4'],
    );
    assert.equal(last.headers['link'], `${at(2)}; rel="prev", ${at(1)}; rel="first"`);
    for (const query of ['', '?page=x', '?page=0&per_page=-1', '?page=1&page=2', '?per_page=1000000000000'])
      assert.equal((await list(query)).body.length, 5, query);
    assert.deepEqual((await list('?page=99999999')).body, []);
  });

  test('PUT gets or creates the one authorization of an application, and location says where', async () => {
    const { clientId, clientSecret: client_secret } = server.bot;
    const put = (path: string, body: object) =>
      server.call<Shown>('PUT', `/authorizations/clients/${path}`, ANN, { client_secret, ...body });
    const made = await put(clientId, { scopes: ['gist'], note: 'first' });
    assert.deepEqual([made.status, made.headers['location']], [201, made.body.url]);
    const found = await put(clientId, { scopes: ['repo'], note: 'second' });
    assert.deepEqual([found.status, found.headers['location']], [200, made.body.url]);
    assert.deepEqual(found.body, made.body);
    const unknown = await put(clientId, { scopes: ['no-such-scope'], note_url: 'no url' });
    assert.deepEqual([unknown.status, unknown.body], [200, made.body], 'what is there is not judged');
    assert.equal((await put(`${clientId}/other`, { scopes: ['no-such-scope'] })).status, 422);
    const fingerprinted = await put(`${clientId}/a%2Fb`, {});
    assert.equal(fingerprinted.status, 201);
    assert.equal((await put(clientId, { fingerprint: 'a/b' })).body.id, fingerprinted.body.id);
    const wrong = await put(clientId, { client_secret: '0'.repeat(40) });
    assert.equal(wrong.status, 422);
  });

  test('PUT by many at once creates one authorization', async () => {
    const { clientId, clientSecret: client_secret } = server.bot;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        server.call<Shown>('PUT', `/authorizations/clients/${clientId}`, BEN, { client_secret }),
      ),
    );
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
  });

  test('bad input is refused with the recorded bodies', async () => {
    const app = { client_id: server.bot.clientId, client_secret: server.bot.clientSecret };
    const cases: [body: unknown, status: number, message: string, code?: string, field?: string][] = [
      ['{', 400, 'Problems parsing JSON'],
      [{ note: 'half \ud83d' }, 400, 'Problems parsing JSON'],
      ['[]', 400, 'Body should be a JSON object'],
      ['', 400, 'Body should be a JSON object'],
      [{}, 422, 'Validation Failed', 'missing_field', 'description'],
      [{ note: ' ' }, 422, 'Validation Failed', 'missing_field', 'description'],
      [{ note: 'n', scopes: 'repo' }, 422, 'Validation Failed', 'custom', 'scopes'],
      [{ note: 'n', scopes: ['*'] }, 422, 'Validation Failed', 'custom', 'scopes'],
      [{ note: 'n', note_url: 'javascript:0' }, 422, 'Validation Failed', 'invalid', 'note_url'],
      [{ note: 'n', ...app, client_secret: 'x' }, 422, 'Validation Failed', 'invalid', 'client_id'],
      [{ note: 'n', client_id: 'x' }, 422, 'Validation Failed', 'missing_field', 'client_secret'],
      [{ note: 'n'.repeat(256) }, 422, 'Validation Failed', 'custom', 'note'],
      [{ note: 1 }, 422, "Invalid request.\n\nFor 'properties/note', the value is not a string."],
      [{ note: 'n', token: 'x' }, 422, 'Invalid request.\n\n"token" is not a permitted key.'],
    ];
    for (const [body, status, message, code, field] of cases) {
      const answer = await server.call<Refused>('POST', '/authorizations', ANN, body);
      const [error] = answer.body.errors ?? [];
      assert.deepEqual(
        [answer.status, answer.body.message, error?.code, error?.field],
        [status, message, code, field],
        JSON.stringify(body),
      );
    }
    const text = await server.call<Refused>('POST', '/authorizations', ANN, 'x', {
      'content-type': 'text/x',
    });
    assert.deepEqual([text.status, typeof text.body.documentation_url], [415, 'string']);
    const form = await server.call('POST', '/authorizations', ANN, '{"note":"as a form"}', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    assert.equal(form.status, 201);
  });

  test('a token never opens these routes, and clients read why', async () => {
    const { body } = await create('not for itself');
    const text = 'This API can only be accessed with username and password Basic Auth';
    for (const credential of [`token ${body.token}`, `bearer ${body.token}`, basic('ann', body.token)]) {
      const answer = await server.call<Refused>('GET', '/authorizations', credential);
      assert.deepEqual([answer.status, answer.body.message], [403, text]);
    }
    const none = await server.call<Refused>('GET', '/authorizations', undefined);
    assert.deepEqual([none.status, none.body.message], [401, 'Requires authentication']);
    const wrong = await server.call<Refused>('GET', '/authorizations', basic('ann', 'wrong'));
    assert.deepEqual([wrong.status, wrong.body.message], [401, 'Bad credentials']);
  });
});

test('with tokenVisibility creation a token is shown once and stored as a hash alone', async () => {
  const server = await authorizationServer({ config: { tokenVisibility: 'creation', maxPerUser: 1 } });
  const made = await server.call<Shown>('POST', '/authorizations', ANN, { note: 'once' });
  assert.match(made.body.token, /^[0-9a-f]{40}$/);
  assert.equal((await server.call<Shown>('GET', `/authorizations/${made.body.id}`, ANN)).body.token, '');
  assert.equal((await server.call('GET', '/mine', `token ${made.body.token}`)).status, 200);
  const beyond = await server.call<Refused>('POST', '/authorizations', ANN, { note: 'another' });
  assert.match(beyond.body.errors?.[0]?.message ?? '', /a user may have 1 authorizations/);
  await server.stop();
});
