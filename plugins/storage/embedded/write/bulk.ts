/** A bulk write: its operations one by one, up to the first that the store refuses. */
import { isStorageError, type BulkResult } from 'plugboard/sdk';
import type { CollectionDefinition } from '../definition.js';
import type { WriteBatch } from './batch.js';
import type { ReadyOperation } from './writes.js';

interface BulkOutcome {
  readonly result: BulkResult;
  readonly refusal: { readonly error: unknown } | undefined;
}

export function inOrder(
  batch: WriteBatch,
  collection: CollectionDefinition,
  operations: readonly ReadyOperation[],
): BulkOutcome {
  const result = { inserted: 0, matched: 0, modified: 0, deleted: 0, upserted: 0 };
  for (const operation of operations) {
    try {
      const part = batch.attempt((inner) => operation(inner, collection));
      for (const key of Object.keys(part) as (keyof BulkResult)[]) result[key] += part[key] ?? 0;
    } catch (error) {
      if (!isStorageError(error)) throw error;
      return { result, refusal: { error } };
    }
  }
  return { result, refusal: undefined };
}
