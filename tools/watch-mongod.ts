/** Ends a test run whose mongod is gone: else each of a thousand tests waits its minute for it. */
import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient } from 'mongodb';

/** In milliseconds. */
export interface WatchTimes {
  /** Between two pings. Default: 5 s. */
  readonly every?: number;
  /** Without an answer, until it counts as gone; on a busy machine one that is well may take many seconds. Default: 2 min. */
  readonly patience?: number;
}

/** Calls `onGone` once, with what the last ping met. Answers what ends the watch. */
export function watchMongod(
  url: string,
  onGone: (reason: string) => void,
  { every = 5_000, patience = 120_000 }: WatchTimes = {},
): () => Promise<void> {
  const ended = new AbortController();
  const limit = patience / 2;
  const watch = async (client: MongoClient): Promise<void> => {
    for (let answered = performance.now(); !ended.signal.aborted;) {
      try {
        await client.db('admin').command({ ping: 1 });
        answered = performance.now();
      } catch (error) {
        if (performance.now() - answered >= patience) {
          onGone(String(error));
          return;
        }
      }
      await delay(every, undefined, { signal: ended.signal, ref: false }).catch(() => {});
    }
  };
  const client = new MongoClient(url, { socketTimeoutMS: limit, serverSelectionTimeoutMS: limit });
  const watching = watch(client);
  return async () => {
    ended.abort();
    await watching;
    await client.close();
  };
}
