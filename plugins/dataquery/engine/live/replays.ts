/** What came while a subscriber was away, from a feed of its own: a few at a time, and of each a bounded part. */
import { Semaphore, StorageError, type ResumeToken } from 'plugboard/sdk';
import type { RowChanges } from '../rows/row-changes.js';
import { batches } from './batches.js';
import type { Placed } from './told-change.js';

const AT_ONCE = 4;
/** Changes of all tables; who was away for more reads again, which costs less. */
const MOST_CHANGES = 10_000;

export class Replays {
  readonly #changes: RowChanges;
  readonly #turns = new Semaphore(AT_ONCE);
  readonly #signal: AbortSignal;

  constructor(changes: RowChanges, signal: AbortSignal) {
    this.#changes = changes;
    this.#signal = signal;
  }

  /** Hands over what is between `after` and the mark, which it sets. Throws `history_lost` where not all of that is known. */
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
