/** Writers that go on through faults and remember what was acknowledged. */
import { setTimeout as delay } from 'node:timers/promises';
import { isStorageError, type Collection } from 'plugboard/sdk';
import type { Anything } from './store-of-test.js';

export interface WriteLoad {
  readonly acknowledged: ReadonlySet<string>;
  /** Codes of the errors that callers saw, each with its count. */
  readonly refusals: ReadonlyMap<string, number>;
  /** Resolves when this many more writes were acknowledged. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

export function startWriteLoad(collection: Collection<Anything>, writers = 8): WriteLoad {
  const acknowledged = new Set<string>();
  const refusals = new Map<string, number>();
  let stopping = false;
  const write = async (writer: number): Promise<void> => {
    for (let at = 0; !stopping; at++) {
      const _id = `${writer}-${at}`;
      try {
        if (at % 2 === 0) await collection.insertOne({ _id, at });
        else await collection.insertMany([{ _id, at }]);
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
