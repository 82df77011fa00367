/** Changes missed while a subscriber was away, from a separate feed: a few replays at a time, each bounded. */
import { Semaphore, StorageError, type ResumeToken } from 'plugboard/sdk';
import type { RowChanges } from '../rows/row-changes.js';
import { batches } from './batches.js';
import type { Placed } from './told-change.js';

const AT_ONCE = 4;
/** Changes of all tables; after more, reading again costs less. */
const MOST_CHANGES = 10_000;

export class Replays {
  readonly #changes: RowChanges;
  readonly #turns = new Semaphore(AT_ONCE);
  readonly #signal: AbortSignal;

  constructor(changes: RowChanges, signal: AbortSignal) {
    this.#changes = changes;
    this.#signal = signal;
  }

  /**
   * Passes on the changes between `after` and the mark, which it sets. Throws `history_lost` if some are no longer
   * known.
   */
  async run(
    after: ResumeToken,
    mark: string,
    left: AbortSignal,
    take: (batch: readonly Placed[]) => Promise<void>,
  ): Promise<void> {
    const signal = AbortSignal.any([this.#signal, left]);
    await this.#turns.run(
      async () => {
        const feed = await this.#changes.follow({ after, signal });
        await this.#changes.mark(mark);
        let count = 0;
        for await (const batch of batches(feed)) {
          const end = batch.findIndex(({ change }) => change._id === mark);
          await take(end === -1 ? batch : batch.slice(0, end));
          if (end !== -1) return;
          count += batch.length;
          if (count > MOST_CHANGES) throw new StorageError('history_lost', 'too many changes to go through');
        }
        signal.throwIfAborted();
      },
      { signal },
    );
  }
}
