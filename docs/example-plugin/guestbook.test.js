// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bootTest, pluginContract } from 'plugboard/testing';
import plugin from './index.js';
import { GUESTBOOK } from './guestbook.js';

pluginContract(plugin, { config: { maxLength: 100 } });

test('an entry that a key wrote is listed for everyone, newest first', async () => {
  const server = await bootTest({ plugins: [{ plugin }] });
  const authorization = `Bearer ${await server.key()}`;
  for (const text of ['first', 'second']) {
    const payload = { author: 'ann', text };
    const written = await server.inject({
      method: 'POST',
      url: '/guestbook',
      headers: { authorization },
      payload,
    });
    assert.equal(written.statusCode, 201, written.body);
  }
  const listed = (await server.inject('/guestbook?limit=1')).json();
  assert.deepEqual(
    listed.map((/** @type {{ text: string }} */ { text }) => text),
    ['second'],
  );
  await server.stop();
});

test('writing without a key is refused, and a text that is too long says how long it may be', async () => {
  const server = await bootTest({ plugins: [{ plugin, config: { maxLength: 3 } }] });
  const payload = { author: 'ann', text: 'four' };
  assert.equal((await server.inject({ method: 'POST', url: '/guestbook', payload })).statusCode, 401);
  const headers = { authorization: `Bearer ${await server.key()}` };
  const answer = await server.inject({ method: 'POST', url: '/guestbook', headers, payload });
  assert.deepEqual([answer.statusCode, answer.json().code], [400, 'entry_too_long']);
  await server.stop();
});

test('another plugin that needs the token writes into the same book', async () => {
  const server = await bootTest({ plugins: [{ plugin }] });
  await server.service(GUESTBOOK).write('a plugin', 'hello');
  assert.equal((await server.inject('/guestbook')).json()[0].author, 'a plugin');
  await server.stop();
});
