/** A store that refuses writes for a while, as a full disk does: what the runner of jobs says about it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StorageError } from 'plugboard/sdk';
import { JobQueue } from '../../../plugins/jobs/queue.js';
import { JobRunner } from '../../../plugins/jobs/runner.js';
import { eventually } from '../../support/eventually.js';
import { logEntries } from '../../support/log-entries.js';
import { openStore } from '../storage/embedded/open.js';

test('a store that refuses is told in one line, and in one more when it takes jobs again', async (t) => {
  const { storage } = await openStore(t);
  const log = logEntries();
  const queue = new JobQueue(storage, Date);
  const runner = new JobRunner(queue, log, { poll: 1, lease: 10 });
  const refusing = t.mock.method(queue, 'due', () =>
    Promise.reject(new StorageError('unavailable', 'the disk is full')),
  );
  await runner.start(true);
  t.after(() => runner.stop());
  await eventually(() => refusing.mock.callCount() > 5, 'it is tried again');
  assert.deepEqual(log.at('error'), ['jobs wait until the store can be used again: the disk is full']);
  refusing.mock.restore();
  await eventually(() => log.at('info').length > 0, 'it goes on');
  assert.deepEqual(log.at('info'), ['jobs can be read and stored again']);
});
