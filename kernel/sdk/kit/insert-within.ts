/** Bounds the number of documents, also under concurrent inserts. */
import type { Document } from '../storage/document.js';
import type { Filter } from '../storage/filter.js';
import type { Collection } from '../storage/port.js';

/**
 * Inserts unless `most` documents match `alike`, which matches the document too. Counts before, so that the common
 * refusal writes nothing, and after: the last of concurrent inserts to count sees them all. So no more than `most`
 * stay, but calls that race for the last place may all be refused. Not in a transaction, which does not see the others.
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
