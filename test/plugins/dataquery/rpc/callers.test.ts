/** Who may call a function by POST: what only reads is for whoever reads, and for people who may only look. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TestServer } from 'plugboard/testing';
import { eachStore } from '../../../support/stores.js';
import { openGuarded, anIssuer } from '../support/guarded-data.js';

const CATALOG = `
schemas:
  public:
    relations:
      films: { columns: { id: integer, year: integer }, primaryKey: [id] }
    functions:
      since: { args: { year: integer }, returns: { setof: films }, where: { year: gte.$year } }
      forget: { args: {}, returns: void, volatile: true, module: ./f.mjs }
`;
const MODULE = 'export const forget = () => {};';
const ROWS = { 'public.films': [{ id: 1, year: 2000 }] };
const PASSWORD = 'seven green tractors';

eachStore('a function', (store) => {
  test('that only reads is called by POST with either scope, and one that writes with that of writing', async (t) => {
    const issuer = await anIssuer((stop) => t.after(() => stop()));
    const data = await openGuarded(await store.fresh(), issuer, CATALOG, ROWS, { 'f.mjs': MODULE });
    t.after(() => data.stop());
    const post = async (key: string, path: string): Promise<number> =>
      (await data.send(key, 'POST', path, { body: path.endsWith('forget') ? {} : { year: 1990 } })).status;
    const table: Record<string, number[]> = {};
    for (const scope of ['data:read', 'data:write', 'data:explain']) {
      const key = await data.key(scope);
      const paths = ['/rpc/since', '/rest/v1/rpc/since', '/rpc/forget', '/rpc/unknown', '/films'];
      table[scope] = [];
      for (const path of paths) table[scope].push(await post(key, path));
    }
    assert.deepEqual(table, {
      'data:read': [200, 200, 403, 403, 403],
      'data:write': [200, 200, 204, 404, 400],
      'data:explain': [403, 403, 403, 403, 403],
    });
  });

  test('that only reads is called by a viewer', async (t) => {
    const issuer = await anIssuer((stop) => t.after(() => stop()));
    const data = await openGuarded(await store.fresh(), issuer, CATALOG, ROWS, { 'f.mjs': MODULE });
    t.after(() => data.stop());
    const viewer = await viewerOf(data.server);
    const call = async (url: string, payload: object) => {
      const { statusCode, body } = await data.server.inject({
        method: 'POST',
        url,
        payload,
        headers: viewer,
      });
      return `${statusCode} ${body}`;
    };
    assert.equal(await call('/rpc/since', { year: 1990 }), '200 [{"id":1,"year":2000}]');
    assert.match(await call('/rpc/forget', {}), /^403 .*viewers_look/);
    assert.match(await call('/rpc/unknown', {}), /^403 .*viewers_look/);
    assert.match(await call('/films', { id: 2 }), /^403 .*viewers_look/);
  });
});

/** The headers of a session of somebody who may only look. */
async function viewerOf(server: TestServer): Promise<Record<string, string>> {
  const words = ['users', 'create', 'ann', '--access', 'viewer', '--password-stdin'];
  assert.equal((await server.command(words, PASSWORD)).code, 0);
  const payload = { login: 'ann', password: PASSWORD };
  const answer = await server.inject({ method: 'POST', url: '/api/auth/login', payload });
  assert.equal(answer.statusCode, 200, answer.body);
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  return { cookie, 'x-csrf-token': answer.json<{ csrfToken: string }>().csrfToken };
}
