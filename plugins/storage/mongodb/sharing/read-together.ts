/** Reads of single documents by id, by several callers, in one message. */
import type { Collection as DriverCollection, Document as DriverDocument } from 'mongodb';
import type { Document } from 'plugboard/sdk';
import type { Sender } from './shared-message.js';
import { AS_BYTES, fromBytes } from '../translate/values.js';

/** `alive` adds to a filter that what has expired is not found. `raw` is a collection for calls with `AS_BYTES`. */
export function readSender(
  raw: DriverCollection<Uint8Array>,
  alive: (filter: DriverDocument) => DriverDocument,
): Sender<string, Document | null> {
  return {
    one: async (id) => {
      const found = await raw.findOne(alive({ _id: id }), AS_BYTES);
      return found === null ? null : fromBytes(found);
    },
    several: async (ids) => {
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
      // Who asks for the same id as another gets a document of their own.
      const take = (id: string): Document | null => {
        const document = unread.get(id);
        if (document !== undefined && unread.delete(id)) return document;
        const bytes = bytesOf.get(id);
        return bytes === undefined ? null : fromBytes(bytes);
      };
      return ids.map((id) => ({ value: take(id) }));
    },
  };
}
