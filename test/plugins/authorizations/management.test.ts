import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eachStore } from '../../support/stores.js';
import { ANN, authorizationServer, basic, BEN, type App, type AuthorizationServer } from './support.js';

interface Listed {
  readonly tokens: readonly {
    readonly id: number;
    readonly note: string | null;
    readonly user: { readonly login: string | null };
    readonly app: { readonly name: string } | null;
  }[];
  readonly next: number | null;
}

eachStore('tokens of all users, for the management', (store) => {
  let server: AuthorizationServer;
  let manager = '';
  const secrets: string[] = [];
  before(async () => {
    server = await authorizationServer({ storage: await store.fresh() });
    manager = `Bearer ${await server.key('manage')}`;
    for (const [note, who, app] of [
      ['laptop', ANN, undefined],
      ['phone', BEN, undefined],
      ['in the bot', ANN, server.bot],
    ] as const) {
      const client = app && { client_id: app.clientId, client_secret: app.clientSecret };
      const body = { note, scopes: ['gist'], ...client };
      const made = await server.call<{ token: string }>('POST', '/authorizations', who, body);
      secrets.push(made.body.token);
    }
  });
  after(() => server.stop());

  const list = async (query = ''): Promise<Listed> => {
    const { status, body, headers } = await server.call<Listed>('GET', `/api/tokens${query}`, manager);
    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'private, no-store');
    for (const secret of secrets) assert.ok(!JSON.stringify(body).includes(secret));
    return body;
  };
  const show = ({ tokens }: Listed) =>
    tokens.map(({ note, user, app }) => `${user.login} ${note} ${app?.name ?? '-'}`);
  const clientId = ({ clientId: id }: App) => id;

  test('they are listed, the newest first, a page at a time, without their texts', async () => {
    assert.deepEqual(show(await list()), ['ann in the bot Bot', 'ben phone -', 'ann laptop -']);
    const first = await list('?limit=2');
    assert.deepEqual(show(first), ['ann in the bot Bot', 'ben phone -']);
    const second = await list(`?limit=2&after=${first.next}`);
    assert.deepEqual([show(second), second.next], [['ann laptop -'], null]);
  });

  test('those of one user, or for one application, are found; of nobody there are none', async () => {
    assert.deepEqual(show(await list('?user=ben')), ['ben phone -']);
    assert.deepEqual(show(await list(`?app=${clientId(server.bot)}`)), ['ann in the bot Bot']);
    assert.deepEqual(show(await list(`?user=ben&app=${clientId(server.bot)}`)), []);
    assert.deepEqual(show(await list('?user=%3Cscript%3E')), []);
    assert.deepEqual(show(await list('?app=nothing')), []);
  });

  test('one that is revoked is refused at once, and a second time there is none', async () => {
    const [, phone] = secrets;
    const asPhone = () => server.call('GET', '/mine', `token ${phone}`);
    assert.equal((await asPhone()).status, 200);
    const [{ id } = { id: 0 }] = (await list('?user=ben')).tokens;
    assert.equal((await server.call('DELETE', `/api/tokens/${id}`, manager)).status, 204);
    assert.equal((await asPhone()).status, 401);
    assert.equal((await server.call('DELETE', `/api/tokens/${id}`, manager)).status, 404);
  });

  test('those of an application whose tokens are all revoked are not listed', async () => {
    const { bot } = server;
    const asBot = basic(bot.clientId, bot.clientSecret);
    assert.equal((await server.call('DELETE', `/applications/${bot.clientId}/tokens`, asBot)).status, 204);
    assert.deepEqual(show(await list(`?app=${bot.clientId}`)), []);
  });

  test('a user, and a key without the scope manage, see none of it', async () => {
    for (const credential of [ANN, `Bearer ${await server.key('gist')}`, undefined]) {
      const { status } = await server.call('GET', '/api/tokens', credential);
      assert.ok(status === 401 || status === 403, String(status));
    }
    assert.equal((await server.call('GET', '/api/tokens?limit=101', manager)).status, 422);
    assert.equal((await server.call('DELETE', '/api/tokens/x', manager)).status, 404);
  });
});
