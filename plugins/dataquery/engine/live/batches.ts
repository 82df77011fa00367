/** Changes of a feed in batches of all that have arrived: rows are checked together. */
import type { ChangeFeed } from 'plugboard/sdk';
import type { RowChange } from '../rows/row-changes.js';
import type { Placed } from './told-change.js';

const MOST = 200;

/** Ends the feed when the loop is left. Expired documents are not changes. */
export async function* batches(feed: ChangeFeed<RowChange>): AsyncGenerator<readonly Placed[], void> {
  let waiting: Placed[] = [];
  let wake = (): void => {};
  let ended = false;
  let failure: unknown;
  let room = (): void => {};
  const read = async (): Promise<void> => {
    try {
      for await (const change of feed) {
        if (change.kind !== 'put') continue;
        waiting.push({ token: change.token, change: change.document });
        wake();
        if (waiting.length >= MOST) await new Promise<void>((resolve) => (room = resolve));
      }
    } catch (error) {
      failure = error;
    }
    ended = true;
    wake();
  };
  const reading = read();
  try {
    for (;;) {
      while (waiting.length === 0 && !ended) await new Promise<void>((resolve) => (wake = resolve));
      if (waiting.length > 0) {
        const batch = waiting;
        waiting = [];
        room();
        yield batch;
      } else if (failure !== undefined) throw failure as Error;
      else return;
    }
  } finally {
    await feed.close();
    room();
    await reading;
  }
}
