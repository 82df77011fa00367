import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Principal } from 'plugboard/sdk';
import { recall } from '../../../../plugins/memory/front/chat/recall.js';
import type { Retrieved } from '../../../../plugins/memory/engine/retrieval/retrieved.js';
import type { Settings } from '../../../../plugins/memory/engine/settings/settings.js';
import { memoryServer } from '../support/memory-server.js';
import { EMBED, fakeModels } from '../support/models.js';

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
    await memory.call('POST', '/api/memory', { key: 'hi', content: 'Hi, how are you?', apiKeyId: 'ann' });
    assert.equal(await text(ann, 'How are you?'), 'How are you?');
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

  test('are found by their words alone when the model does not embed the message in time', async () => {
    const models = fakeModels();
    await using memory = await memoryServer({ models, config: { recallTimeout: 60_000 } });
    await memory.call('PUT', '/api/settings/memory', {
      embeddingSource: 'remote',
      embeddingProviderModel: EMBED,
    });
    await memory.call('POST', '/api/memory', { key: 'tea', content: 'likes green tea', apiKeyId: 'ann' });
    const giveUp = new AbortController();
    models.before = (_call, signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
        giveUp.abort();
      });
    const { messages } = await models.intercept(chat('tea?'), ann, {}, giveUp.signal);
    assert.match(String(messages[0]?.content), /likes green tea/);
  });

  test('give models and the external store up while there is time for the words', async () => {
    const settings = { enabled: true, maxTokens: 2000, strategy: 'hybrid' } as Settings;
    const memories = [{ key: 'tea', content: 'likes green tea' }];
    const interceptor = recall({
      auth: { allows: () => true },
      settings: { of: () => Promise.resolve(settings) },
      retrieval: {
        retrieve: ({ signal }) =>
          new Promise((resolve) => {
            signal!.addEventListener('abort', () => resolve({ memories } as Retrieved));
          }),
      },
      entries: { newest: () => assert.fail('a query is given') },
      isReady: () => true,
      limit: 20,
      minSimilarity: 0,
      timeout: 400,
      log: { warn: (...line) => assert.fail(line.join(' ')) },
    });
    const { messages } = await interceptor(chat('tea?'), { caller: ann, headers: {} });
    assert.match(String(messages[0]?.content), /likes green tea/);
  });

  test('are left out of a chat that would wait too long for a storage that does not answer', async () => {
    const warnings: unknown[] = [];
    const interceptor = recall({
      auth: { allows: () => true },
      settings: { of: () => new Promise(() => {}) },
      retrieval: { retrieve: () => assert.fail('without settings nothing is searched') },
      entries: { newest: () => assert.fail('without settings nothing is read') },
      isReady: () => true,
      limit: 20,
      minSimilarity: 0,
      timeout: 20,
      log: { warn: (...line: unknown[]) => void warnings.push(...line) },
    });
    assert.deepEqual(await interceptor(chat('tea?'), { caller: ann, headers: {} }), chat('tea?'));
    assert.match(String((warnings[0] as { err: Error }).err), /not there after 20 ms \(recallTimeout\)/);
  });

  test('are put into the same request the same way each time, so that a prompt cache holds', async () => {
    const models = fakeModels();
    await using memory = await memoryServer({ models });
    await memory.call('POST', '/api/memory', { key: 'tea', content: 'likes green tea', apiKeyId: 'ann' });
    assert.deepEqual(await models.intercept(chat('tea?'), ann), await models.intercept(chat('tea?'), ann));
  });
});
