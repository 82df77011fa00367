/** What the memories of one owner may hold together. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootTest } from 'plugboard/testing';
import { eachStore } from '../../support/stores.js';
import memory from '../../../plugins/memory/index.js';

eachStore('the room of an owner', (store) => {
  test('is bounded for each owner by itself, and is there again after a deletion', async () => {
    await using server = await bootTest({
      plugins: [{ plugin: memory, config: { maxCharacters: 100 } }],
      storage: await store.fresh(),
    });
    const [key, other] = [await server.key('memory'), await server.key('memory')];
    const call = async (who: string, method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => {
      const answer = await server.inject({
        method,
        url: `/api/memory${path}`,
        headers: { authorization: `Bearer ${who}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { payload: JSON.stringify(body) }),
      });
      const json = answer.body === '' ? {} : (answer.json() as Record<string, unknown>);
      return { status: answer.statusCode, json };
    };
    const add = (who: string, name: string, content: string) => call(who, 'POST', '', { key: name, content });
    const first = await add(key, 'a', 'x'.repeat(60));
    assert.equal(first.status, 201);
    assert.equal((await add(key, 'b', 'y'.repeat(60))).status, 201);
    const refused = await add(key, 'c', 'z');
    assert.equal(refused.status, 409);
    assert.equal((refused.json['error'] as { code: string }).code, 'memories_too_large');
    const id = String(first.json['id']);
    assert.equal((await call(key, 'PUT', `/${id}`, { content: 'x'.repeat(70) })).status, 409);
    assert.equal((await call(key, 'PUT', `/${id}`, { content: 'short' })).status, 200);
    assert.equal((await add(key, 'c', 'z'.repeat(40))).status, 201);
    assert.equal((await add(key, 'd', 'z')).status, 409);
    assert.equal((await add(other, 'a', 'x')).status, 201);
    assert.equal((await call(key, 'DELETE', `/${id}`)).status, 200);
    assert.equal((await add(key, 'd', 'z'.repeat(200))).status, 409, 'the others hold 102 characters');
  });
});
