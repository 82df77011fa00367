/** The data API with a rate limit: requests that the guard refuses count against their address, as elsewhere. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { bootTest } from 'plugboard/testing';
import dataquery from '../../plugins/dataquery/index.js';
import ratelimit from '../../plugins/ratelimit/index.js';
import { root } from '../support/fixtures.js';

test('the data API shows its limit on every answer, those that the guard refuses too', async () => {
  const data = { key: 3, address: 5, window: 60 };
  const server = await bootTest({
    plugins: [
      { plugin: ratelimit, config: { categories: { data } } },
      {
        plugin: dataquery,
        prefix: '/data',
        config: { catalog: join(root, 'config/demo/cinema.yaml'), auth: 'bearer' },
      },
    ],
  });
  const ask = async (key: string, accept = '*/*') => {
    const headers = { authorization: `Bearer ${key}`, accept };
    const { statusCode, headers: shown } = await server.inject({ url: '/data/films', headers });
    return [statusCode, shown['x-ratelimit-limit'], shown['x-ratelimit-used']];
  };
  const key = await server.key('data:read');
  assert.deepEqual(await ask(key), [200, '3', '1']);
  assert.deepEqual(await ask(key, 'application/vnd.pgrst.plan+json'), [403, '3', '2']);
  assert.deepEqual(await ask('pb_wrong'), [401, '5', '1']);
  assert.deepEqual(await ask('pb_wrong'), [401, '5', '2']);
  await server.stop();
});

test('an open data API counts by address', async () => {
  const config = { catalog: join(root, 'config/demo/cinema.yaml'), auth: 'none' };
  await using server = await bootTest({
    plugins: [
      { plugin: ratelimit, config: { categories: { data: { address: 2, window: 60 } } } },
      { plugin: dataquery, prefix: '/data', config },
    ],
  });
  const ask = async (headers: Record<string, string> = {}) =>
    (await server.inject({ url: '/data/films', headers })).statusCode;
  assert.deepEqual(
    [await ask(), await ask({ authorization: 'Bearer whatever' }), await ask()],
    [200, 200, 429],
  );
});
