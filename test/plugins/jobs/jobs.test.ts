import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { JOBS, type Job, type JobRun, type JobState } from 'plugboard/sdk';
import { eventually } from '../../support/eventually.js';
import { eachStore } from '../../support/stores.js';
import { TestClock } from '../auth/support.js';
import { worker, type Worker } from './support.js';

async function reaches({ jobs }: Worker, { id }: Job, state: JobState): Promise<Job> {
  await eventually(async () => (await jobs.get(id))?.state === state, `job ${id} is ${state}`);
  const job = await jobs.get(id);
  assert.ok(job);
  return job;
}

/** Runs until it is told to end, and looks at its signal as it should. */
async function untilAborted({ signal }: JobRun<unknown>): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    await sleep(5);
  }
}

eachStore('jobs', (store) => {
  test('a job runs with its input, and its result and progress are kept', async () => {
    await using one = await worker(
      {
        sum: [
          (run) => {
            run.progress(2, 2);
            return (run.input as number[]).reduce((sum, number) => sum + number);
          },
        ],
      },
      { storage: await store.fresh() },
    );
    const added = await one.jobs.add('sum', { input: [1, 2, 3] });
    assert.equal(added.owner, 'worker');
    const job = await reaches(one, added, 'done');
    assert.deepEqual([job.result, job.done, job.total, job.attempt, job.error], [6, 2, 2, 1, null]);
    assert.ok(job.endedAt !== null && job.startedAt !== null);
  });

  test('a job that the plugin has no handler for is refused', async () => {
    await using one = await worker({ sum: [() => 1] }, { storage: await store.fresh() });
    await assert.rejects(one.jobs.add('som'), /plugin "worker" has no handler for the job "som"/);
    assert.deepEqual(await one.jobs.list(), []);
  });

  test('one key is one job while it waits or runs, and a new one afterwards', async () => {
    let ran = 0;
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    await using one = await worker(
      { once: [async () => (await gate, ++ran)] },
      { storage: await store.fresh() },
    );
    const all = await Promise.all(Array.from({ length: 20 }, () => one.jobs.add('once', { key: 'a' })));
    assert.equal(new Set(all.map(({ id }) => id)).size, 1);
    const [first] = all;
    assert.ok(first);
    const other = await one.jobs.add('once', { key: 'b' });
    assert.notEqual(other.id, first.id);
    open();
    await reaches(one, first, 'done');
    await reaches(one, other, 'done');
    assert.equal(ran, 2);
    assert.notEqual((await one.jobs.add('once', { key: 'a' })).id, first.id);
  });

  test('a job that fails is tried again with growing waits, then kept as failed with its error', async () => {
    const attempts: number[] = [];
    await using one = await worker(
      {
        hopeless: [
          ({ attempt }) => {
            attempts.push(attempt);
            throw new Error(`no luck ${attempt}`);
          },
          { attempts: 3, backoff: 5 },
        ],
      },
      { storage: await store.fresh() },
    );
    const job = await reaches(one, await one.jobs.add('hopeless'), 'failed');
    assert.deepEqual(attempts, [1, 2, 3]);
    assert.equal(job.error, 'no luck 3');
  });

  test('a checkpoint is there in the next attempt with the progress, and starts the count of attempts again', async () => {
    const seen: unknown[] = [];
    const done: unknown[] = [];
    await using one = await worker(
      {
        steps: [
          async ({ id, checkpoint = 0, progress, save }) => {
            seen.push(checkpoint);
            done.push((await one.jobs.get(id))?.done);
            if (checkpoint === 4) return 'through';
            progress((checkpoint as number) + 1, 4);
            await save((checkpoint as number) + 1);
            throw new Error('interrupted');
          },
          { attempts: 2, backoff: 1 },
        ],
      },
      { storage: await store.fresh() },
    );
    const job = await reaches(one, await one.jobs.add('steps'), 'done');
    assert.deepEqual([seen, done, job.result], [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], 'through']);
  });

  test('a job that is asked for `again` runs once more after the current run', async () => {
    let ran = 0;
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    await using one = await worker(
      { drain: [async () => (ran++, await gate)] },
      { storage: await store.fresh() },
    );
    const job = await one.jobs.add('drain', { again: true });
    await eventually(() => ran === 1, 'it runs');
    const asked = await Promise.all(Array.from({ length: 5 }, () => one.jobs.add('drain', { again: true })));
    assert.deepEqual(new Set(asked.map(({ id }) => id)), new Set([job.id]));
    open();
    await reaches(one, job, 'done');
    assert.equal(ran, 2);
  });

  test('`again` brings the next round of a repeating job forward, but not its wait after a failure', async () => {
    const clock = new TestClock();
    let ran = 0;
    let fails = false;
    const tick = () => {
      ran++;
      if (fails) throw new Error('no luck');
    };
    await using one = await worker(
      { tick: [tick, { attempts: 2, backoff: 60_000 }] },
      { storage: await store.fresh(), clock },
    );
    const job = await one.jobs.add('tick', { every: 3_600_000 });
    await eventually(
      async () => ran === 1 && (await one.jobs.get(job.id))?.state === 'waiting',
      'the first round',
    );
    fails = true;
    await one.jobs.add('tick', { every: 3_600_000, again: true });
    await eventually(async () => (await one.jobs.get(job.id))?.error === 'no luck', 'a round that fails');
    const { at } = await one.jobs.add('tick', { every: 3_600_000, again: true });
    assert.deepEqual([ran, at?.getTime()], [2, clock.now() + 60_000]);
  });

  test('a job with `at` waits for its time, one with `every` comes back', async () => {
    const clock = new TestClock();
    let ticks = 0;
    await using one = await worker(
      { later: [() => 'now'], tick: [() => void ++ticks] },
      { storage: await store.fresh(), clock },
    );
    const later = await one.jobs.add('later', { at: new Date(clock.now() + 60_000) });
    const tick = await one.jobs.add('tick', { every: 60_000 });
    await eventually(() => ticks === 1, 'the first tick');
    assert.equal((await one.jobs.get(later.id))?.state, 'waiting');
    await eventually(async () => (await one.jobs.get(tick.id))?.state === 'waiting', 'the next tick waits');
    clock.advance(60_000);
    await reaches(one, later, 'done');
    await eventually(() => ticks === 2, 'the second tick');
  });

  test('cancelling ends a waiting job at once and aborts a running one', async () => {
    await using one = await worker({ endless: [untilAborted] }, { storage: await store.fresh() });
    const running = await one.jobs.add('endless', { key: 'runs' });
    await reaches(one, running, 'running');
    const waiting = await one.jobs.add('endless', { key: 'waits' });
    assert.equal(await one.jobs.cancel(waiting.id), true);
    assert.equal((await one.jobs.get(waiting.id))?.state, 'cancelled');
    assert.equal(await one.jobs.cancel(running.id), true);
    const ended = await reaches(one, running, 'cancelled');
    assert.equal(ended.error, null);
    assert.equal(await one.jobs.cancel(running.id), false);
  });

  test('a stop hands a running job back, and the next server runs it without counting the attempt', async () => {
    const storage = await store.fresh();
    const first = await worker({ work: [untilAborted] }, { storage });
    const job = await first.jobs.add('work');
    await reaches(first, job, 'running');
    await first.server.stop();
    await using second = await worker({ work: [({ attempt }) => attempt] }, { storage });
    assert.equal((await reaches(second, job, 'done')).result, 1);
  });

  test('a plugin reaches its own jobs alone', async () => {
    await using one = await worker({ endless: [untilAborted] }, { storage: await store.fresh() });
    const job = await one.jobs.add('endless');
    const other = one.server.service(JOBS, 'other');
    assert.equal(await other.get(job.id), null);
    assert.equal(await other.cancel(job.id), false);
    assert.deepEqual(await other.list(), []);
    assert.deepEqual(
      (await one.jobs.list({ name: 'endless' })).map(({ id }) => id),
      [job.id],
    );
  });

  test('an input beyond 64 kB is refused and nothing is stored', async () => {
    await using one = await worker({ big: [() => 1] }, { storage: await store.fresh() });
    await assert.rejects(one.jobs.add('big', { input: 'x'.repeat(70_000) }), RangeError);
    assert.deepEqual(await one.jobs.list(), []);
  });

  test('the operator sees jobs over HTTP and at the command line, and cancels one', async () => {
    const failsOnce = (run: JobRun<unknown>): Promise<void> => {
      if (run.attempt === 1) throw new Error('the carrier is busy');
      return untilAborted(run);
    };
    await using one = await worker(
      { endless: [failsOnce, { backoff: 1 }] },
      { storage: await store.fresh() },
    );
    const job = await one.jobs.add('endless', { key: 'a' });
    await eventually(async () => {
      const { state, attempt } = (await one.jobs.get(job.id)) ?? {};
      return state === 'running' && attempt === 2;
    }, 'the second attempt runs');
    const headers = { authorization: `Bearer ${await one.server.key('manage')}` };
    const list = await one.server.inject({ url: '/-/jobs?state=running', headers });
    assert.equal(list.statusCode, 200, list.body);
    assert.deepEqual(
      list.json<{ jobs: Job[] }>().jobs.map(({ id, owner, key }) => [id, owner, key]),
      [[job.id, 'worker', 'a']],
    );
    assert.equal((await one.server.inject({ url: '/-/jobs' })).statusCode, 401);
    const printed = await one.server.command(['jobs']);
    const shown = `${job.id}  worker endless a: running, attempt 2; an earlier attempt failed: the carrier is busy\n`;
    assert.equal(printed.stdout, shown);
    const cancelled = await one.server.command(['jobs', 'cancel', job.id]);
    assert.equal(cancelled.code, 0, cancelled.stderr);
    await reaches(one, job, 'cancelled');
    const again = await one.server.inject({ method: 'POST', url: `/-/jobs/${job.id}/cancel`, headers });
    assert.equal(again.statusCode, 404);
    assert.equal((await one.server.command(['jobs', 'cancel', 'none'])).code, 2);
    assert.equal((await one.server.command(['jobs', '--state', 'lost'])).code, 2);
  });
});
