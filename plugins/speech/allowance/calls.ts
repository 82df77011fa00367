/** Costs of calls whose response could not carry them: streams without events. Kept for a day. */
import type { Clock, Collection, Document, Filter, Storage } from 'plugboard/sdk';

interface CallDocument extends Document {
  readonly ms: number;
  readonly endedAt: Date;
}

const KEPT_SECONDS = 86_400;

export class Calls {
  readonly #calls: Collection<CallDocument>;
  readonly #clock: Clock;

  constructor(storage: Storage, clock: Clock) {
    this.#clock = clock;
    this.#calls = storage.collection<CallDocument>({
      name: 'calls',
      indexes: [{ keys: { endedAt: 1 }, expireAfterSeconds: KEPT_SECONDS }],
    });
  }

  /** Calls of one key with the same id add up: the client chose the id. */
  async ended(owner: string, id: string, ms: number): Promise<void> {
    const endedAt = new Date(this.#clock.now());
    await this.#calls.updateOne(
      { _id: `${owner}:${id}` },
      { $inc: { ms }, $set: { endedAt } },
      { upsert: true },
    );
  }

  /** Milliseconds; undefined if no call with this id has ended. */
  async find(owner: string, id: string): Promise<number | undefined> {
    return (await this.#calls.findOne({ _id: `${owner}:${id}` }))?.ms;
  }

  async forget(owners: readonly string[]): Promise<number> {
    let calls = 0;
    for (const owner of owners) {
      const all: Filter<CallDocument> = { _id: { $gte: `${owner}:`, $lt: `${owner};` } };
      calls += await this.#calls.deleteMany(all);
    }
    return calls;
  }
}
