/** Ranges that have nothing in common are long work, too. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intersect } from '../../../../../plugins/storage/embedded/find/intersect.js';
import type { Run } from '../../../../../plugins/storage/embedded/find/runs.js';
import type { Reader } from '../../../../../plugins/storage/embedded/lmdb/environment.js';
import type { Range, Walk } from '../../../../../plugins/storage/embedded/lmdb/key-space.js';

const ENTRIES = 20_000;

test('ranges that never agree say every few hundred steps that nothing was found', () => {
  let steps = 0;
  // Every second number in one range, the others in the other one.
  const keys = [0, 1].map((range) =>
    Array.from({ length: ENTRIES }, (_, at) => {
      const key = Buffer.alloc(5, range);
      key.writeUInt32BE(2 * at + range, 1);
      return key;
    }),
  );
  const walk = (_space: string, { start, end }: Range): Walk => {
    const own = keys[start[0]!]!.filter(
      (key) => Buffer.compare(key, start) >= 0 && Buffer.compare(key, end) < 0,
    );
    let at = -1;
    const key = (): Buffer => own[at]!;
    return {
      step: () => ((steps += 1), ++at < own.length),
      end: () => {},
      bytes: Buffer.from('id'),
      length: 2,
      keyStart: 0,
      keyEnd: 5,
      get key() {
        return key();
      },
      get keyBytes() {
        return key();
      },
    };
  };
  const runs: Run[] = [0, 1].map((range) => ({
    range: { start: Buffer.from([range]), end: Buffer.from([range + 1]) },
    alike: 1,
    single: false,
  }));
  let before = 0;
  let longest = 0;
  for (const found of intersect({ walk } as unknown as Reader, runs)) {
    assert.equal(found, undefined);
    longest = Math.max(longest, steps - before);
    before = steps;
  }
  assert.ok(steps >= 2 * ENTRIES, `${steps} steps`);
  assert.ok(longest <= 600, `${longest} steps in a row`);
});
