import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definePlugin, StorageError, Type } from 'plugboard/sdk';
import { bootTest, LogLines } from 'plugboard/testing';

test('a check that fails is logged once for each reason, however often it is probed', async () => {
  let failure: Error | undefined;
  const plugin = definePlugin({
    name: 'checked',
    api: 1,
    config: Type.Object({}, { additionalProperties: false }),
    setup: () => ({
      check: () => {
        if (failure !== undefined) throw failure;
      },
    }),
  });
  const log = new LogLines();
  await using server = await bootTest({ plugins: [{ plugin }], log });
  const [away, broken] = [new StorageError('unavailable', 'away'), new Error('broken')];
  for (const now of [undefined, away, away, broken, away, undefined, away, away]) {
    failure = now;
    const { statusCode } = await server.inject('/-/ready');
    assert.equal(statusCode, now === undefined ? 200 : 503);
  }
  const said = log.lines
    .filter((line) => line.includes('readiness check failed'))
    .map((line) => (JSON.parse(line) as { err: { message: string } }).err.message);
  assert.deepEqual(said, ['away', 'broken', 'away', 'away']);
});
