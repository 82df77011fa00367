/** Reads single documents by id for several callers in one message. */
import type { Collection as DriverCollection, Document as DriverDocument } from 'mongodb';
import { Batcher, type Document } from 'plugboard/sdk';
import { IN_ONE_MESSAGE } from './messages.js';
import { AS_BYTES, fromBytes } from '../translate/values.js';

/** `alive` makes a filter exclude expired documents. `raw` is a collection for calls with `AS_BYTES`. */
export function readsTogether(
  raw: DriverCollection<Uint8Array>,
  alive: (filter: DriverDocument) => DriverDocument,
): Batcher<string, Document | null> {
  return new Batcher(async (ids) => {
    const [first] = ids;
    if (ids.length === 1) {
      const found = await raw.findOne(alive({ _id: first }), AS_BYTES);
      return [{ value: found === null ? null : fromBytes(found) }];
    }
    const wanted = [...new Set(ids)];
    const found = await raw
      .find(alive({ _id: { $in: wanted } }), { ...AS_BYTES, batchSize: wanted.length + 1 })
      .toArray();
    const bytesOf = new Map<string, Uint8Array>();
    const unread = new Map<string, Document>();
    for (const bytes of found) {
      const document = fromBytes(bytes);
      bytesOf.set(document._id, bytes);
      unread.set(document._id, document);
    }
    // Callers of the same id get a copy each.
    const take = (id: string): Document | null => {
      const document = unread.get(id);
      if (document !== undefined && unread.delete(id)) return document;
      const bytes = bytesOf.get(id);
      return bytes === undefined ? null : fromBytes(bytes);
    };
    return ids.map((id) => ({ value: take(id) }));
  }, IN_ONE_MESSAGE);
}
