import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newId } from 'plugboard/sdk';
import { splitRange, usageRange } from '../../../plugins/router/usage/range.js';
import { UsageBatch } from '../../../plugins/router/usage/batch.js';
import type { UsageRecord } from '../../../plugins/router/usage/record.js';
import { UsageStore, type HourOfCalls } from '../../../plugins/router/usage/store.js';
import { summarize } from '../../../plugins/router/usage/summary.js';
import type { UsageGroup } from '../../../plugins/router/usage/summary.js';
import { listCalls } from '../../../plugins/router/usage/calls.js';
import { callOf } from './support/usage-record.js';
import { openStore, type OpenStore } from '../../support/storage/open-store.js';
import { eachStore, type TestStore } from '../../support/stores.js';

const NOW = Date.parse('2026-03-10T12:00:00Z');
const call = (own: Partial<UsageRecord> = {}): UsageRecord => callOf({ at: new Date(NOW), ...own });
const KEEP_DAYS = 90;

eachStore('usage', (store) => {
  test('totals and records add up to every call, whatever days the range cuts', async () => {
    await using opened = await openUsage(store);
    // One call each six hours of ten days; the tokens tell which one it was.
    const calls = Array.from({ length: 40 }, (_, at) =>
      call({ at: new Date(NOW - at * 6 * 3_600_000), tokensIn: 2 ** (at % 20) }),
    );
    for (let at = 0; at < calls.length; at += 7) await opened.usage.add(batch(calls.slice(at, at + 7)));
    for (const [from, to] of [
      ['2026-03-01', '2026-03-10T12:00:00.001Z'],
      ['2026-03-02T03:00:00Z', '2026-03-08T19:00:00Z'],
      ['2026-03-05T01:00:00Z', '2026-03-05T23:00:00Z'],
      ['2026-03-05', '2026-03-06'],
      ['2026-03-05T18:00:00Z', '2026-03-06T18:00:00Z'],
    ] as const) {
      const within = calls.filter(({ at }) => at >= new Date(from) && at < new Date(to));
      const { total } = await opened.sum(from, to);
      assert.equal(total.calls, within.length, `${from} to ${to}`);
      assert.equal(
        total.tokensIn,
        within.reduce((sum, { tokensIn }) => sum + (tokensIn ?? 0), 0),
      );
    }
  });

  test('a batch of more records than a document takes is stored whole', async () => {
    await using opened = await openUsage(store);
    const calls = Array.from({ length: 1_100 }, (_, at) => call({ at: new Date(NOW - at * 1_000) }));
    await opened.usage.add(batch(calls));
    assert.equal((await opened.sum('2026-03-10', '2026-03-11')).total.calls, 1_100);
    assert.equal((await opened.sum('2026-03-10T11:50:00Z', '2026-03-10T12:00:00Z')).total.calls, 600);
  });

  test('calls of one hour are listed by their time, whatever batches they were stored in', async () => {
    await using opened = await openUsage(store);
    const minutes = [50, 10, 40, 30, 20];
    for (const minute of minutes)
      await opened.usage.add(batch([call({ at: new Date(NOW - minute * 60_000), tokensIn: minute })]));
    const range = { from: new Date(NOW - 3_600_000), to: new Date(NOW) };
    const { data } = await listCalls(opened.usage, range, {}, { limit: 10, after: undefined });
    assert.deepEqual(
      data.map(({ tokensIn }) => tokensIn),
      [10, 20, 30, 40, 50],
    );
  });

  test('a batch that is stored twice counts once', async () => {
    await using opened = await openUsage(store);
    const twice = batch([call(), call({ at: new Date(NOW - 3_600_000) })]);
    await opened.usage.add(twice);
    await opened.usage.add(twice);
    assert.equal((await opened.sum('2026-03-10', '2026-03-11')).total.calls, 2);
    assert.equal((await opened.sum('2026-03-10T10:00:00Z', '2026-03-10T11:59:00Z')).total.calls, 1);
  });

  test('batches that several writers store at once are all counted', async () => {
    await using opened = await openUsage(store);
    const batches = Array.from({ length: 8 }, () => batch(Array.from({ length: 5 }, () => call())));
    await Promise.all(batches.map((one) => opened.usage.add(one)));
    assert.equal((await opened.sum('2026-03-10', '2026-03-11')).total.calls, 40);
  });

  test('errors, unknown counts and calls that no upstream served are told apart', async () => {
    await using opened = await openUsage(store);
    await opened.usage.add(
      batch([
        call({ tokensIn: 3, tokensOut: 4, tokensCached: 1 }),
        call({ tokensIn: null, tokensOut: null }),
        call({ upstream: null, errorCode: 'upstream_failed', tokensIn: null, tokensOut: null }),
      ]),
    );
    const { data, total } = await opened.sum('2026-03-10', '2026-03-11', 'upstream');
    assert.deepEqual(
      data.map(({ name, calls }) => [name, calls]),
      [
        ['a', 2],
        ['none', 1],
      ],
    );
    assert.deepEqual(total, {
      calls: 3,
      errors: 1,
      tokensIn: 3,
      tokensOut: 4,
      tokensCached: 1,
      tokensCacheWritten: 0,
      tokensReasoning: 0,
      estimatedIn: 0,
      estimatedOut: 0,
      unmetered: 2,
      cost: 0,
      unpriced: 3,
    });
  });

  test('records come back as they were, the latest first, over hours and pages', async () => {
    await using opened = await openUsage(store);
    const calls = Array.from({ length: 30 }, (_, at) =>
      call({
        at: new Date(NOW - (30 - at) * 10 * 60_000 + 7),
        key: `k${at % 3}`,
        model: at % 2 === 0 ? 'a/m' : 'a/"\n\u0000 \ud83d\ude00',
        servedModel: at % 4 === 0 ? null : 'm',
        stream: at % 2 === 0,
        firstToken: at % 2 === 0 ? at : null,
        status: at % 5 === 0 ? 502 : 200,
        errorCode: at % 5 === 0 ? 'upstream_failed' : null,
        latency: at * 1_000,
        attempts: 1 + (at % 2),
        tokensIn: at % 7 === 0 ? null : 2 ** 40 + at,
      }),
    );
    await opened.usage.add(batch(calls.slice(0, 17)));
    await opened.usage.add(batch(calls.slice(17)));
    const range = { from: new Date(NOW - 6 * 3_600_000), to: new Date(NOW) };
    const listed: UsageRecord[] = [];
    let after: string | undefined;
    do {
      const { data, next } = await listCalls(opened.usage, range, {}, { limit: 7, after });
      listed.push(...data);
      after = next ?? undefined;
    } while (after !== undefined);
    const inOrder = listed.toSorted((a, b) => a.at.getTime() - b.at.getTime());
    assert.deepEqual(inOrder, calls);
    const hours = listed.map(({ at }) => Math.floor(at.getTime() / 3_600_000));
    assert.deepEqual(
      hours,
      hours.toSorted((a, b) => b - a),
    );
    const { data } = await listCalls(opened.usage, range, { key: 'k1' }, { limit: 100, after: undefined });
    assert.equal(data.length, 10);
  });

  test('calls that were stored as a list of documents are read as before', async () => {
    await using opened = await openUsage(store);
    const hour = new Date(NOW - 2 * 3_600_000);
    const calls = [call({ at: hour, tokensIn: 5 }), call({ at: new Date(hour.getTime() + 1), tokensIn: 6 })];
    await opened.storage
      .collection<HourOfCalls>({ name: 'usage_calls' })
      .insertOne({ _id: newId(), hour, calls });
    const range = { from: hour, to: new Date(NOW - 1_000) };
    const { data } = await listCalls(opened.usage, range, {}, { limit: 10, after: undefined });
    assert.deepEqual(data, calls.toReversed());
    assert.equal((await opened.sum('2026-03-10T10:00:00Z', '2026-03-10T11:59:00Z')).total.tokensIn, 11);
  });

  test('days whose records are gone keep their totals', async () => {
    await using opened = await openUsage(store);
    const at = new Date(NOW - (KEEP_DAYS + 5) * 86_400_000);
    await opened.usage.add(batch([call({ at })]));
    assert.equal((await opened.sum('2025-11-01', '2026-01-01')).total.calls, 1);
  });
});

describe('the range of a usage query', () => {
  test('today is whole: no record is read for it', () => {
    const range = usageRange({}, NOW, KEEP_DAYS);
    assert.equal(range.from.toISOString(), '2026-02-08T00:00:00.000Z');
    assert.deepEqual(splitRange(range, NOW), { days: { from: '2026-02-08', to: '2026-03-11' }, edges: [] });
  });

  for (const [query, param] of [
    [{ from: '2025-11-01T10:00:00Z' }, 'from'],
    [{ from: '2025-11-01', to: '2025-11-05T10:00:00Z' }, 'to'],
  ] as const) {
    test(`a "${param}" that cuts a day without records is refused: ${JSON.stringify(query)}`, () => {
      assert.throws(
        () => usageRange(query, NOW, KEEP_DAYS),
        (error: { fields: { param: string }; message: string }) =>
          error.fields.param === param && /must be a whole day/.test(error.message),
      );
    });
  }
});

async function openUsage(store: TestStore) {
  const opened: OpenStore = await openStore(await store.fresh(), { clock: { now: () => NOW } });
  const usage = new UsageStore(opened.storage, KEEP_DAYS);
  await opened.start();
  return {
    usage,
    storage: opened.storage,
    sum(from: string, to: string, group: UsageGroup = 'model') {
      const range = { from: new Date(from), to: new Date(to) };
      return summarize(usage, range, { group }, NOW);
    },
    [Symbol.asyncDispose]: () => opened.close(),
  };
}

function batch(records: readonly UsageRecord[]): UsageBatch {
  const made = new UsageBatch();
  for (const record of records) made.add(record);
  return made;
}
