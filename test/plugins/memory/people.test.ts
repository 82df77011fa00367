/** People with tokens of an identity provider, and keys of their tenant. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyHost, ISSUER, AUDIENCE, signed, signingKey } from '../../support/peers/token-issuer.js';
import { eachStore } from '../../support/stores.js';
import { bootTest } from 'plugboard/testing';
import memory from '../../../plugins/memory/index.js';

interface Entry {
  readonly id: string;
  readonly key: string;
  readonly apiKeyId: string;
  readonly userId: string | null;
}

eachStore('people', (store) => {
  test("a person has memories of their own and reads the tenant's, and another tenant's are not there", async (t) => {
    const key = await signingKey('one');
    const host = await KeyHost.start(t, [key]);
    const issuer = {
      audience: AUDIENCE,
      jwks: host.url,
      algorithms: ['ES256'],
      roles: { authenticated: ['memory'] },
    };
    await using server = await bootTest({
      plugins: [{ plugin: memory }],
      storage: await store.fresh(),
      auth: {
        issuers: [
          { ...issuer, name: 'app', issuer: ISSUER, owner: 'web' },
          { ...issuer, name: 'other', issuer: 'https://other.example' },
        ],
      },
    });
    const manage = await server.key();
    const created = await server.inject({
      method: 'POST',
      url: '/api/keys',
      headers: { authorization: `Bearer ${manage}` },
      payload: { name: 'back end', scopes: ['memory'], owner: 'web' },
    });
    const tenant = created.json<{ key: string }>().key;
    const role = 'authenticated';
    const [ann, bo, eve] = await Promise.all([
      signed(key, { sub: 'ann', role }),
      signed(key, { sub: 'bo', role }),
      signed(key, { sub: 'ann', role, iss: 'https://other.example' }),
    ]);
    const call = async (
      token: string,
      method: 'GET' | 'POST' | 'PUT' | 'DELETE',
      url: string,
      payload?: object,
    ) => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await server.inject({ method, url, headers, ...(payload && { payload }) });
      return { status: answer.statusCode, body: answer.json<Entry & { memories: Entry[]; data: Entry[] }>() };
    };
    const write = (token: string, name: string, fields = {}) =>
      call(token, 'POST', '/api/memory', { key: name, content: `The colour of ${name} is green`, ...fields });

    const ofAnn = await write(ann, 'tea');
    assert.deepEqual([ofAnn.status, ofAnn.body.apiKeyId, ofAnn.body.userId], [201, 'web', 'app|ann']);
    const shared = await write(tenant, 'logo');
    assert.deepEqual([shared.body.apiKeyId, shared.body.userId], ['web', null]);
    await write(bo, 'car');
    await write(eve, 'sea');

    const found = async (token: string): Promise<string[]> => {
      const { body } = await call(token, 'POST', '/api/memory/retrieve-preview', {
        query: 'colour green',
        strategy: 'exact',
      });
      return body.memories.map((entry) => entry.key).toSorted();
    };
    assert.deepEqual(
      [await found(ann), await found(bo), await found(eve)],
      [['logo', 'tea'], ['car', 'logo'], ['sea']],
    );
    const listed = await call(ann, 'GET', '/api/memory');
    assert.deepEqual(
      listed.body.data.map((entry) => entry.key),
      ['tea'],
    );

    const at = (entry: { body: Entry }): string => `/api/memory/${entry.body.id}`;
    assert.deepEqual(
      [
        (await call(ann, 'GET', at(shared))).status,
        (await call(ann, 'PUT', at(shared), { content: 'mine' })).status,
        (await call(bo, 'GET', at(ofAnn))).status,
        (await call(bo, 'DELETE', at(ofAnn))).status,
        (await call(eve, 'GET', at(shared))).status,
        (await write(bo, 'tea', { userId: 'app|ann' })).status,
        (await write(bo, 'tea', { apiKeyId: 'other' })).status,
        (await call(tenant, 'GET', at(ofAnn))).status,
      ],
      [200, 404, 404, 404, 404, 403, 403, 200],
    );
  });
});
