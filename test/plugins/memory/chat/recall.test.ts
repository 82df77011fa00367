import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Principal } from 'plugboard/sdk';
import { memoryServer } from '../support/memory-server.js';
import { fakeModels } from '../support/models.js';

const ann: Principal = { kind: 'key', id: 'ann', name: 'ann', scopes: ['memory'] };
const chat = (content: string) => ({ model: 'm', messages: [{ role: 'user', content }] });

describe('memories in chats', () => {
  test('are those of the caller that fit the message, and only for a key with the scope', async () => {
    const models = fakeModels();
    await using memory = await memoryServer({ models });
    await memory.call('POST', '/api/memory', { key: 'tea', content: 'likes green tea', apiKeyId: 'ann' });
    await memory.call('POST', '/api/memory', { key: 'tea', content: 'hates tea', apiKeyId: 'bob' });
    await memory.call('POST', '/api/memory', { key: 'tea', content: 'tea for everyone' });
    const text = async (caller: Principal, message = 'which tea?', headers = {}): Promise<string> =>
      String((await models.intercept(chat(message), caller, headers)).messages[0]?.content);
    assert.match(await text(ann), /likes green tea/);
    assert.doesNotMatch(await text(ann), /hates|everyone/);
    for (const caller of [
      { ...ann, scopes: [] },
      { kind: 'session', id: 'ann', scopes: ['*'] },
      { kind: 'anonymous', scopes: [] },
    ] as Principal[]) {
      assert.equal(await text(caller), 'which tea?');
    }
    assert.equal(await text(ann, 'which tea?', { 'x-plugboard-no-memory': '1' }), 'which tea?');
    assert.equal(await text(ann, 'Quantenphysik'), 'Quantenphysik');
  });

  test('obey the settings: off, no tokens, or the newest ones whatever the message', async () => {
    const models = fakeModels();
    await using memory = await memoryServer({ models });
    for (const key of ['one', 'two'])
      await memory.call('POST', '/api/memory', { key, content: `note ${key}`, apiKeyId: 'ann' });
    const text = async (settings: object): Promise<string> => {
      await memory.call('PUT', '/api/settings/memory', settings);
      return String((await models.intercept(chat('hello'), ann)).messages[0]?.content);
    };
    assert.equal(await text({ enabled: false }), 'hello');
    assert.equal(await text({ enabled: true, maxTokens: 0 }), 'hello');
    const recent = await text({ maxTokens: 2000, strategy: 'recent' });
    assert.match(recent, /note two[^]*note one[^]*hello$/);
  });

  test('are put into the same request the same way each time, so that a prompt cache holds', async () => {
    const models = fakeModels();
    await using memory = await memoryServer({ models });
    await memory.call('POST', '/api/memory', { key: 'tea', content: 'likes green tea', apiKeyId: 'ann' });
    assert.deepEqual(await models.intercept(chat('tea?'), ann), await models.intercept(chat('tea?'), ann));
  });
});
