import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job, JobHandler, Jobs } from 'plugboard/sdk';
import { MarkedWork, type WorkRun } from '../../../../plugins/memory/engine/maintenance/marked-work.js';
import { silentLog } from '../../../support/silent-log.js';

test('work that is marked during a run is asked for again where the run breaks off, and not by a plugin that stops', async () => {
  for (const stops of [false, true]) {
    const stopping = new AbortController();
    const broken = new AbortController();
    const added: string[] = [];
    let handler: JobHandler<undefined> | undefined;
    const jobs = {
      handle: (_name: string, given: JobHandler<undefined>) => (handler = given),
      add: (name: string) => {
        added.push(name);
        return Promise.resolve({} as Job);
      },
    } as unknown as Jobs;
    const work = new MarkedWork({
      jobs,
      name: 'reindex',
      every: 1000,
      clock: Date,
      log: silentLog,
      signal: stopping.signal,
      wanted: () => Promise.resolve(true),
      work: ({ signal }) => {
        work.nudge();
        broken.abort(new Error('stopping'));
        if (stops) stopping.abort();
        signal.throwIfAborted();
        return Promise.resolve();
      },
    });
    await assert.rejects(async () => handler!({ signal: broken.signal } as WorkRun as never), /stopping/);
    await work.close();
    assert.deepEqual(added, stops ? [] : ['reindex']);
  }
});
