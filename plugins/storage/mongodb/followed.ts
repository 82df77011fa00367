/** On a standalone server, publishes the changes of a write to the feeds of this process. Elsewhere, just the write. */
import type { Document as DriverDocument } from 'mongodb';
import type { Document, Filter, WriteOperation } from 'plugboard/sdk';
import { toFilter } from './translate/filter.js';
import type { OpenCollection } from './open-collection.js';

interface Target<D extends Document> {
  readonly filter?: Filter<D>;
  readonly ids?: readonly string[];
  readonly operations?: readonly WriteOperation<D>[];
}

/**
 * Looks up the documents that may change before the write, and reads them after it. An unchanged document is
 * delivered again, which readers of a feed must tolerate anyway.
 */
export function followed<D extends Document, T>(
  open: OpenCollection,
  target: Target<D>,
  write: () => Promise<T>,
): Promise<T> {
  const changes = open.localChanges;
  if (changes === undefined || !changes.followed) return write();
  return changes.inOrder(async () => {
    const before = await idsOf(open, target);
    try {
      return await write();
    } finally {
      const ids = [...new Set([...before, ...(await idsOf(open, target))])];
      const found = await open.raw.find({ _id: { $in: ids } }).toArray();
      const byId = new Map(found.map((document) => [document._id, document as Document]));
      changes.record(ids.map((id) => ({ id, document: byId.get(id) ?? null })));
    }
  });
}

async function idsOf<D extends Document>(open: OpenCollection, target: Target<D>): Promise<string[]> {
  const filters = [target.filter, ...(target.operations ?? []).map(filterOf)].filter(
    (filter) => filter !== undefined,
  );
  const ids = [...(target.ids ?? []), ...(target.operations ?? []).flatMap(idIn)];
  const any: DriverDocument[] = [{ _id: { $in: ids } }, ...filters.map((filter) => toFilter(filter))];
  const found = await open.raw.find({ $or: any }, { projection: { _id: 1 } }).toArray();
  return found.map(({ _id }) => _id);
}

function filterOf<D extends Document>(operation: WriteOperation<D>): Filter<D> | undefined {
  return 'insertOne' in operation ? undefined : Object.values(operation)[0]!.filter;
}

function idIn<D extends Document>(operation: WriteOperation<D>): string[] {
  if ('insertOne' in operation) return [operation.insertOne._id];
  return 'replaceOne' in operation ? [operation.replaceOne.replacement._id] : [];
}
