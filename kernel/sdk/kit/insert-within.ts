/** A bound on how many documents there are, which holds when many are inserted at once. */
import type { Document } from '../storage/document.js';
import type { Filter } from '../storage/filter.js';
import type { Collection } from '../storage/port.js';

/**
 * Inserts unless `most` of `alike`, which matches the document, are there. Counted before, as the common refusal is to
 * write nothing, and after: of those inserted at once the last to count sees them all. So `most` is never exceeded by
 * what stays; calls that meet at the bound may all be refused. Not in a transaction, which does not see the others.
 */
export async function insertWithin<D extends Document>(
  collection: Pick<Collection<D>, 'countDocuments' | 'insertOne' | 'deleteOne'>,
  document: D,
  alike: Filter<D>,
  most: number,
): Promise<boolean> {
  if ((await collection.countDocuments(alike)) >= most) return false;
  await collection.insertOne(document);
  if ((await collection.countDocuments(alike)) <= most) return true;
  await collection.deleteOne({ _id: document._id } as Filter<D>);
  return false;
}
