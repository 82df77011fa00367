import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STORAGE, type Document } from 'plugboard/sdk';
import { eachStore } from '../../../support/stores.js';
import { eventually } from '../../../support/eventually.js';
import { memoryServer, testClock } from '../support/memory-server.js';
import { condense, fakeModels } from '../support/models.js';

const DAY = 86_400_000;

eachStore('the retention sweeper', (store) => {
  test('deletes expired entries after the grace time and archived ones after the retention, and nothing else', async () => {
    const clock = testClock();
    const config = { purgeAfter: 60, sweepInterval: 1, summaryModel: 'up/chat' };
    const models = fakeModels();
    models.reply = condense;
    await using memory = await memoryServer({ storage: await store.fresh(), clock, config, models });
    const stored = memory.server.service(STORAGE, 'memory').collection<Document>({ name: 'entries' });
    const put = (key: string, fields: object = {}) =>
      memory.call('POST', '/api/memory', {
        key,
        content: `The ${key} was discussed. It took very long, from the morning to the late evening of that long day.`,
        ...fields,
      });
    await put('expires', { expiresAt: new Date(clock.now() + 1000).toISOString() });
    await put('kept', { apiKeyId: 'ann' });
    await put('old', { sessionId: 's' });
    await put('older', { sessionId: 's' });
    clock.advance(59_000);
    assert.equal(await stored.countDocuments({}), 4);
    // A round that was under way when the clock moved has looked already: the next one comes a second later.
    const left = async (): Promise<number> => {
      clock.advance(2000);
      return stored.countDocuments({});
    };
    await eventually(async () => (await left()) === 3, 'the expired entry is purged');
    clock.advance(31 * DAY);
    assert.equal((await memory.call('POST', '/api/memory/summarize')).body.candidates, 2);
    assert.equal(await stored.countDocuments({}), 4);
    clock.advance(30 * DAY);
    await eventually(async () => (await left()) === 2, 'the archived entries are purged');
    assert.equal((await memory.call('GET', '/api/memory')).body.total, 2);
  });
});
