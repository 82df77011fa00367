import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootTest, pluginContract } from 'plugboard/testing';
import plugin, { GUESTBOOK } from './index.js';

pluginContract(plugin, { module: new URL('./index.js', import.meta.url), config: { maxLength: 100 } });

test('an entry that a key wrote is listed for everyone, newest first, until it is removed', async () => {
  const server = await bootTest({ plugins: [{ plugin }] });
  const headers = { authorization: `Bearer ${await server.key('guestbook:write')}` };
  for (const text of ['first', 'second']) {
    const payload = { author: 'ann', text };
    const written = await server.inject({ method: 'POST', url: '/guestbook', headers, payload });
    assert.equal(written.statusCode, 201, written.body);
    assert.equal(
      (await server.inject({ method: 'POST', url: '/guestbook', headers, payload })).statusCode,
      409,
    );
  }
  const [newest] = (await server.inject('/guestbook?limit=1')).json<{ id: string; text: string }[]>();
  assert.equal(newest?.text, 'second');
  const url = `/guestbook/${newest?.id}`;
  assert.equal((await server.inject({ method: 'DELETE', url, headers })).statusCode, 204);
  assert.equal((await server.inject({ method: 'DELETE', url, headers })).statusCode, 404);
  await server.stop();
});

test('writing without a key is refused, and a text that is too long says how long it may be', async () => {
  const server = await bootTest({ plugins: [{ plugin, config: { maxLength: 3 } }] });
  const payload = { author: 'ann', text: 'four' };
  assert.equal((await server.inject({ method: 'POST', url: '/guestbook', payload })).statusCode, 401);
  const headers = { authorization: `Bearer ${await server.key('guestbook:write')}` };
  const answer = await server.inject({ method: 'POST', url: '/guestbook', headers, payload });
  const { code, details } = answer.json<{ code: string; details: unknown }>();
  assert.deepEqual([answer.statusCode, code, details], [400, 'entry_too_long', { field: 'text' }]);
  await server.stop();
});

test('another plugin that needs the token writes into the same book', async () => {
  const server = await bootTest({ plugins: [{ plugin }] });
  await server.service(GUESTBOOK).write('a plugin', 'hello');
  assert.equal((await server.inject('/guestbook')).json<{ author: string }[]>()[0]?.author, 'a plugin');
  await server.stop();
});
