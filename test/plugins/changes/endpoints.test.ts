/** Endpoints: who may name them, and where they may lead. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { courier } from '../../../plugins/changes/attempt.js';
import { receiver } from '../../support/peers/receiver.js';
import { changesServer } from './support.js';

test('an endpoint is made, changed, listed and removed; its secret is told once', async () => {
  await using served = await changesServer();
  const { id, secret } = await served.endpoint('https://example.com/hook', ['a.*']);
  assert.match(secret, /^whsec_[\w+/]{32}$/);
  const changed = await served.call('PATCH', `/endpoints/${id}`, {
    types: ['b'],
    description: 'of the shop',
  });
  assert.deepEqual([changed.status, changed.body['types']], [200, ['b']]);
  const list = await served.call('GET', '/endpoints');
  assert.ok(!JSON.stringify(list.body).includes(secret.slice(6)));
  assert.equal((await served.call('DELETE', `/endpoints/${id}`)).status, 204);
  for (const method of ['GET', 'DELETE'] as const)
    assert.equal((await served.call(method, `/endpoints/${id}`)).body['code'], 'endpoint_not_found');
  assert.equal((await served.call('POST', '/deliveries/none/redeliver')).body['code'], 'delivery_not_found');
});

test('an address that only the server reaches is refused, and so is one endpoint too many', async () => {
  await using served = await changesServer({}, { allowPrivate: false, maxEndpoints: 1 });
  for (const url of [
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://[::ffff:7f00:1]:8080/',
    'http://localhost/x',
    'http://169.254.169.254/latest',
    'https://me:secret@example.com/',
    'ftp://example.com/',
    'nowhere',
  ]) {
    const { status, body } = await served.call('POST', '/endpoints', { url, types: ['*'] });
    assert.deepEqual([status, body['code']], [422, 'address_refused'], url);
  }
  await served.endpoint('https://example.com/');
  const more = await served.call('POST', '/endpoints', { url: 'https://example.org/', types: ['*'] });
  assert.deepEqual([more.status, more.body['code']], [409, 'too_many_endpoints']);
});

test('a name that leads to a private address is not connected to, and a redirect is not followed', async () => {
  await using to = await receiver();
  const { port } = new URL(to.url);
  const { signal } = new AbortController();
  const inside = courier(false, (_name, _options, callback) =>
    callback(null, [
      { address: '93.184.215.14', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]),
  );
  const refused = await inside.send(`http://hooks.example.com:${port}/`, {}, '{}', signal);
  assert.deepEqual(refused, { status: null, error: 'the name leads to an address that is not allowed' });
  await inside.close();

  let asked = 0;
  to.answer = () => {
    asked += 1;
    return 302;
  };
  const open = courier(true);
  assert.deepEqual(await open.send(to.url, {}, '{}', signal), { status: 302, error: 'the answer was 302' });
  assert.equal(asked, 1);
  await open.close();
});

test('a key without the scope manages nothing', async () => {
  await using served = await changesServer();
  const answer = await served.server.inject({ url: '/api/changes/endpoints' });
  assert.equal(answer.statusCode, 401);
});
