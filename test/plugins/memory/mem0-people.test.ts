/** mem0's API for people with tokens of an identity provider: the person is the user, whatever is asked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootTest } from 'plugboard/testing';
import memory from '../../../plugins/memory/index.js';
import { AUDIENCE, ISSUER, KeyHost, signed, signingKey } from '../../support/peers/token-issuer.js';

interface Answer {
  readonly results: { readonly id: string; readonly memory: string; readonly name: string }[];
}

test("a person of mem0's API adds, finds, lists and deletes their own alone, and finds what is everybody's", async (t) => {
  const key = await signingKey('one');
  const host = await KeyHost.start(t, [key]);
  const issuer = { name: 'app', issuer: ISSUER, owner: 'web', audience: AUDIENCE, jwks: host.url };
  await using server = await bootTest({
    plugins: [{ plugin: memory }],
    auth: { issuers: [{ ...issuer, algorithms: ['ES256'], roles: { authenticated: ['memory'] } }] },
  });
  const [ann, bo] = await Promise.all(
    ['ann', 'bo'].map((sub) => signed(key, { sub, role: 'authenticated' })),
  );
  const call = async (token = '', method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) => {
    const headers = { authorization: `Token ${token}` };
    const answer = await server.inject({ method, url, headers, ...(payload && { payload }) });
    return { status: answer.statusCode, body: answer.json<Answer>() };
  };
  const add = (token: string | undefined, messages: string, more = {}) =>
    call(token, 'POST', '/v3/memories/add/', { messages, infer: false, ...more });
  const texts = async (token: string | undefined, url: string, payload: object): Promise<string[]> => {
    const { status, body } = await call(token, 'POST', url, payload);
    assert.equal(status, 200, JSON.stringify(body));
    return body.results.map(({ memory: text }) => text).sort();
  };
  assert.equal((await add(ann, 'the tea of Ann', { agent_id: 'a' })).status, 200);
  assert.equal((await add(bo, 'the tea of Bo', { agent_id: 'a' })).status, 200);
  assert.equal((await add(ann, 'the tea of Carl', { user_id: 'carl' })).status, 403);

  const everyone = [{}, { user_id: '*' }, { agent_id: 'a' }, { NOT: { user_id: 'carl' } }];
  for (const filters of everyone) {
    // Asked by one and then by the other: what was found for one is not kept for the other.
    assert.deepEqual(await texts(ann, '/v3/memories/', { filters }), ['the tea of Ann']);
    assert.deepEqual(await texts(bo, '/v3/memories/', { filters }), ['the tea of Bo']);
    const search = { query: 'tea', filters, threshold: 0 };
    assert.deepEqual(await texts(ann, '/v3/memories/search/', search), ['the tea of Ann']);
    assert.deepEqual(await texts(bo, '/v3/memories/search/', search), ['the tea of Bo']);
  }
  const [own] = (await call(bo, 'POST', '/v3/memories/', {})).body.results;
  for (const method of ['GET', 'DELETE'] as const)
    assert.equal((await call(ann, method, `/v1/memories/${own?.id}/`)).status, 404);
  assert.equal(
    (await call(ann, 'GET', '/v1/entities/')).body.results.filter(({ name }) => name === 'a').length,
    1,
  );
  assert.equal((await call(ann, 'DELETE', '/v1/memories/?agent_id=a')).status, 200);
  assert.deepEqual(await texts(ann, '/v3/memories/', {}), []);
  assert.deepEqual(await texts(bo, '/v3/memories/', {}), ['the tea of Bo']);
});
