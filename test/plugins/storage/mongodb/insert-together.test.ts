/** Inserts that share a message: what the driver says of all of them is said to each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MongoBulkWriteError, type Collection, type WriteError } from 'mongodb';
import { isStorageError } from 'plugboard/sdk';
import { insertsTogether } from '../../../../plugins/storage/mongodb/sharing/insert-together.js';
import type { Stored } from '../../../../plugins/storage/mongodb/translate/values.js';

/** A collection whose server refuses the second of two documents, and confirms the first one or does not. */
function refusing(confirms: boolean): Collection<Stored> {
  const refused = { index: 1, code: 11_000, errmsg: 'E11000 duplicate key' } as WriteError;
  const result = {
    getWriteConcernError: () => (confirms ? undefined : { code: 100, errmsg: 'no majority' }),
  };
  const error = new MongoBulkWriteError(
    { message: 'refused', code: 11_000, writeErrors: [refused] },
    result as unknown as MongoBulkWriteError['result'],
  );
  return { insertMany: () => Promise.reject(error) } as unknown as Collection<Stored>;
}

const two = [{ _id: 'a' }, { _id: 'b' }] as Stored[];

test('a document next to a refused one is inserted', async () => {
  const inserts = insertsTogether(refusing(true));
  const [first, second] = await Promise.allSettled(two.map((one) => inserts.call(one)));
  assert.equal(first?.status, 'fulfilled');
  assert.equal(reasonOf(second)?.code, 11_000);
});

test('where the majority does not confirm it, it is not said to be inserted', async () => {
  const inserts = insertsTogether(refusing(false));
  const [first, second] = await Promise.allSettled(two.map((one) => inserts.call(one)));
  assert.ok(isStorageError(reasonOf(first), 'unavailable'));
  assert.equal(reasonOf(second)?.code, 11_000);
});

function reasonOf(settled: PromiseSettledResult<void> | undefined): { code?: unknown } | undefined {
  return settled?.status === 'rejected' ? (settled.reason as { code?: unknown }) : undefined;
}
