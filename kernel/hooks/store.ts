/** Wraps any storage port so that its calls are observed. */
import type { Document } from '../sdk/storage/document.js';
import type { Collection, Storage } from '../sdk/storage/port.js';
import { errorName, type Observation } from './observation.js';

/** Methods that return a promise. Not change feeds, which have no end. */
const CALLS = [
  'findOne',
  'countDocuments',
  'group',
  'distinct',
  'insertOne',
  'insertMany',
  'updateOne',
  'updateMany',
  'replaceOne',
  'findOneAndUpdate',
  'findOneAndDelete',
  'deleteOne',
  'deleteMany',
  'bulkWrite',
] as const satisfies readonly (keyof Collection<Document>)[];

export function observedStorage(storage: Storage, plugin: string, observation: Observation): Storage {
  return {
    collection: <D extends Document>(spec: Parameters<Storage['collection']>[0]) =>
      observedCollection(storage.collection<D>(spec), plugin, observation),
    async transaction(work) {
      const span = observation.begin('store', { plugin, collection: null, operation: 'transaction' });
      return span.run(() => settled(span, storage.transaction(work)));
    },
    ping: () => storage.ping(),
    get directory() {
      return storage.directory;
    },
    get commits() {
      return storage.commits;
    },
  };
}

type AnyCall = (...given: unknown[]) => Promise<unknown>;
type StoreSpan = ReturnType<Observation['begin']> & { end(end: { error: string | null }): void };

function observedCollection<D extends Document>(
  inner: Collection<D>,
  plugin: string,
  observation: Observation,
): Collection<D> {
  const begin = (operation: string): StoreSpan =>
    observation.begin('store', { plugin, collection: inner.name, operation });
  const calls = Object.fromEntries(
    CALLS.map((operation): [string, AnyCall] => {
      const call = (inner[operation] as AnyCall).bind(inner);
      return [operation, async (...given) => settled(begin(operation), call(...given))];
    }),
  );
  const rest: Omit<Collection<D>, (typeof CALLS)[number]> = {
    name: inner.name,
    with: (tx) => observedCollection(inner.with(tx), plugin, observation),
    ready: () => inner.ready(),
    explain: (...given) => inner.explain(...given),
    changes: (options) => inner.changes(options),
    find(...given) {
      const cursor = inner.find(...given);
      return {
        toArray: async () => settled(begin('find'), cursor.toArray()),
        [Symbol.asyncIterator]: () => iterated(begin, cursor),
      };
    },
  };
  return { ...calls, ...rest } as Collection<D>;
}

async function settled<T>(span: StoreSpan, call: Promise<T>): Promise<T> {
  try {
    const result = await call;
    span.end({ error: null });
    return result;
  } catch (error) {
    span.end({ error: errorName(error) });
    throw error;
  }
}

/** From the first document read to the last, or to where the reader stops. */
async function* iterated<D>(
  begin: (operation: string) => StoreSpan,
  cursor: AsyncIterable<D>,
): AsyncGenerator<D> {
  const span = begin('find');
  try {
    yield* cursor;
  } catch (error) {
    span.end({ error: errorName(error) });
    throw error;
  } finally {
    span.end({ error: null });
  }
}
