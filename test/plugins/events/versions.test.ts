/** How polls share the reads of the version that pages are current at. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Storage } from 'plugboard/sdk';
import { Versions } from '../../../plugins/events/store/versions.js';

/** A store whose reads end when the test says so. */
function slowStore() {
  const reads: PromiseWithResolvers<object>[] = [];
  const findOne = (): Promise<object> => {
    const read = resolvers<object>();
    reads.push(read);
    return read.promise;
  };
  return { reads, versions: new Versions({ collection: () => ({ findOne }) } as unknown as Storage) };
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

function resolvers<T>(): PromiseWithResolvers<T> {
  let [resolve, reject]: [(value: T) => void, (error: Error) => void] = [() => {}, () => {}];
  const promise = new Promise<T>((settle, fail) => ([resolve, reject] = [settle, fail]));
  return { promise, resolve, reject };
}

async function turns(): Promise<void> {
  for (let count = 0; count < 5; count += 1) await turn();
}

test('polls that come while the version is read share the next read, which begins after them', async () => {
  const { reads, versions } = slowStore();
  const first = versions.current();
  await turns();
  const late = Array.from({ length: 20 }, () => versions.current());
  await turns();
  assert.equal(reads.length, 1);
  reads[0]?.resolve({ count: 1, removals: 0 });
  assert.equal((await first).count, 1);
  await turns();
  assert.equal(reads.length, 2);
  reads[1]?.resolve({ count: 2, removals: 0 });
  assert.deepEqual(new Set((await Promise.all(late)).map(({ count }) => count)), new Set([2]));
});

test('a read that fails fails those who shared it, and nobody after them', async () => {
  const { reads, versions } = slowStore();
  const first = versions.current();
  await turns();
  const late = versions.current();
  reads[0]?.reject(new Error('away'));
  await assert.rejects(first, /away/);
  await turns();
  reads[1]?.resolve({ count: 2, removals: 0 });
  assert.equal((await late).count, 2);
});
