/** Inserts that share a message: what the driver says of all of them is said to each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MongoBulkWriteError, type Collection, type WriteError } from 'mongodb';
import { isStorageError } from 'plugboard/sdk';
import { insertSender } from '../../../../plugins/storage/mongodb/sharing/insert-together.js';
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

test('a document beside a refused one is inserted', async () => {
  const [first, second] = await insertSender(refusing(true)).several(two);
  assert.deepEqual(first, { value: undefined });
  assert.equal(((second as { error: unknown }).error as { code: unknown }).code, 11_000);
});

test('where the majority does not confirm it, it is not said to be inserted', async () => {
  const [first, second] = await insertSender(refusing(false)).several(two);
  assert.ok(isStorageError((first as { error: unknown }).error, 'unavailable'));
  assert.equal(((second as { error: unknown }).error as { code: unknown }).code, 11_000);
});
