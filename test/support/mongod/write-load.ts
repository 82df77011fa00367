/** Writers that go on through faults, by every way of writing in turn, and remember what was acknowledged. */
import { setTimeout as delay } from 'node:timers/promises';
import { isStorageError, type Collection, type Storage } from 'plugboard/sdk';
import type { Anything } from '../storage/store-of-test.js';

export interface WriteLoad {
  readonly acknowledged: ReadonlySet<string>;
  /** Codes of the errors that callers saw, each with its count. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Resolves when this many more writes were acknowledged. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** A transaction stores two documents, each with the id of the other as its `twin`. */
export function startWriteLoad(storage: Storage, collection: Collection<Anything>, writers = 8): WriteLoad {
  const acknowledged = new Set<string>();
  const refusals = new Map<string, number>();
  let stopping = false;
  const write = async (writer: number): Promise<void> => {
    for (let at = 0; !stopping; at++) {
      const _id = `${writer}-${at}`;
      try {
        await WAYS[at % WAYS.length]!(collection, { _id, at }, storage);
        acknowledged.add(_id);
      } catch (error) {
        const code = isStorageError(error) ? error.code : String(error);
        refusals.set(code, (refusals.get(code) ?? 0) + 1);
        await delay(20);
      }
    }
  };
  const writing = Array.from({ length: writers }, (_, writer) => write(writer));
  return {
    acknowledged,
    refusals,
    more: async (count) => {
      const goal = acknowledged.size + count;
      while (acknowledged.size < goal) await delay(10);
    },
    stop: async () => {
      stopping = true;
      await Promise.all(writing);
    },
  };
}

type Way = (collection: Collection<Anything>, document: Anything, storage: Storage) => Promise<unknown>;

const WAYS: readonly Way[] = [
  (collection, document) => collection.insertOne(document),
  (collection, document) => collection.insertMany([document]),
  (collection, { _id, at }) => collection.updateOne({ _id }, { $set: { at } }, { upsert: true }),
  (collection, { _id, at }) => collection.findOneAndUpdate({ _id }, { $set: { at } }, { upsert: true }),
  (collection, { _id, at }, storage) =>
    storage.transaction(async (tx) => {
      const twin = `${_id}-twin`;
      await collection.with(tx).insertOne({ _id, at, twin });
      await collection.with(tx).insertOne({ _id: twin, at, twin: _id });
    }),
];
