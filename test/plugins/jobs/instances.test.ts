/** Several instances on one store: one holder a job, and a dead holder's job goes on. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock, JobRun } from 'plugboard/sdk';
import { MongoClient } from 'mongodb';
import { eventually } from '../../support/eventually.js';
import { mongodbMissing, mongodbUrl } from '../../support/stores.js';
import { worker } from './support.js';

async function freshDatabase() {
  return { use: 'mongodb', url: await mongodbUrl(), database: `test_jobs_${Date.now()}` };
}

describe('jobs on several instances', { skip: mongodbMissing }, () => {
  test('every job runs on one instance and once', async () => {
    const storage = await freshDatabase();
    const ran: unknown[] = [];
    const handlers = {
      work: [({ input }: JobRun<unknown>) => void ran.push(input), { concurrency: 3 }],
    } as const;
    await using one = await worker(handlers, { storage });
    await using two = await worker(handlers, { storage });
    await using three = await worker(handlers, { storage });
    const all = [one, two, three];
    await Promise.all(
      Array.from({ length: 90 }, (_, at) =>
        (all[at % 3] ?? one).jobs.add('work', { key: `k${at % 45}`, input: at % 45 }),
      ),
    );
    await eventually(async () => (await one.jobs.list({ state: 'waiting' })).length === 0, 'all are taken');
    await eventually(async () => (await one.jobs.list({ state: 'running' })).length === 0, 'all have ended');
    assert.equal(new Set(ran).size, 45);
    const jobs = await one.jobs.list({ state: 'done' });
    assert.equal(ran.length, jobs.length, 'no job ran twice');
  });

  test('a living holder keeps its job whatever the clocks say; a dead one loses it', async () => {
    const storage = await freshDatabase();
    const began: number[] = [];
    const jobs = { poll: 20, lease: 1000 };
    const ahead: Clock = { now: () => Date.now() + 86_400_000 };
    await using one = await worker({ long: [() => (began.push(1), sleep(3000, 'one'))] }, { storage, jobs });
    const job = await one.jobs.add('long');
    await eventually(() => began.length === 1, 'the first instance runs it');
    await using two = await worker({ long: [() => (began.push(2), 'two')] }, { storage, jobs, clock: ahead });
    await eventually(async () => (await two.jobs.get(job.id))?.state === 'done', 'the job has ended');
    assert.deepEqual([(await two.jobs.get(job.id))?.result, began], ['one', [1]]);

    // Left by a killed process: a running job whose beat no longer changes.
    const left = await one.jobs.add('long', { key: 'left', at: new Date(Date.now() + 3 * 86_400_000) });
    const client = new MongoClient(storage.url);
    await client
      .db(storage.database)
      .collection<{ _id: string }>('jobs.jobs')
      .updateOne({ _id: left.id }, { $set: { state: 'running', holder: 'dead', attempt: 1 } });
    await client.close();
    await eventually(async () => (await two.jobs.get(left.id))?.state === 'done', 'the job is taken over');
    assert.equal((await two.jobs.get(left.id))?.attempt, 2);
  });
});
