import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import type { Dispatcher } from 'undici';
import { gzipSync } from 'node:zlib';
import { UpstreamAnswer } from '../../../plugins/router/upstream/answer.js';

test('a compressed answer that is aborted is not unpacked any further, though all of it has come', async () => {
  const answer = new UpstreamAnswer();
  const controller = {} as Dispatcher.DispatchController;
  answer.onResponseStart(controller, 200, { 'content-encoding': 'gzip' });
  let unpacked = 0;
  const first = new Promise<void>((resolve) => {
    answer.read({
      piece({ length }) {
        unpacked += length;
        resolve();
      },
      end: () => assert.fail('it was aborted'),
      fail: () => assert.fail('the answer has ended'),
    });
  });
  answer.onResponseData(controller, gzipSync(Buffer.alloc(64 * 1024 * 1024)));
  answer.onResponseEnd();
  await first;
  answer.abort(new Error('enough'));
  const taken = unpacked;
  await sleep(100);
  assert.equal(unpacked, taken);
  assert.ok(taken < 1024 * 1024, `${taken} bytes`);
});
