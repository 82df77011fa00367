import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { watchMongod } from '../../tools/watch-mongod.js';
import { Mongod, mongodMissing } from '../support/mongod/mongod.js';

const TIMES = { every: 50, patience: 3_000 };

describe("the watch of a run's mongod", { skip: mongodMissing }, () => {
  for (const [what, harm] of [
    ['ended', (mongod: Mongod) => mongod.kill()],
    ['silent', (mongod: Mongod) => mongod.pause()],
  ] as const) {
    test(`tells of one that is ${what}, and not of another`, async () => {
      await using harmed = await Mongod.start();
      await using well = await Mongod.start();
      const told: string[] = [];
      const ends = [watchMongod(well.url, () => told.push('well'), TIMES)];
      const reason = new Promise<string>((settle) => {
        ends.push(watchMongod(harmed.url, settle, TIMES));
      });
      await harm(harmed);
      assert.match(await reason, /timed out|ECONNREFUSED|closed/i);
      await Promise.all(ends.map((end) => end()));
      assert.deepEqual(told, []);
    });
  }
});
