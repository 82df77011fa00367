/** Numbers of accounts: they only increase, and skip those imported from other systems. */
import type { Collection, Document, Storage } from 'plugboard/sdk';
import type { AccountDocument } from './documents.js';

interface CounterDocument extends Document {
  readonly value: number;
}

const COUNTER = { _id: 'accounts' };

export class Numbers {
  readonly #counters: Collection<CounterDocument>;
  readonly #accounts: Collection<AccountDocument>;

  constructor(storage: Storage, accounts: Collection<AccountDocument>) {
    this.#counters = storage.collection<CounterDocument>({ name: 'counters' });
    this.#accounts = accounts;
  }

  /** An unused number; each call returns another one. */
  async next(): Promise<number> {
    for (;;) {
      const id = await this.#draw();
      if ((await this.#accounts.findOne({ _id: String(id) })) === null) return id;
      // Other systems number their accounts without gaps: skip all of them.
      const [largest] = await this.#accounts.find({}, { sort: { id: -1 }, limit: 1 }).toArray();
      if (largest !== undefined) await this.passOver(largest.id);
    }
  }

  /** Numbers up to this one are not assigned from now on. */
  async passOver(id: number): Promise<void> {
    await this.#counters.updateOne(COUNTER, { $max: { value: id } }, { upsert: true });
  }

  async #draw(): Promise<number> {
    const counter = await this.#counters.findOneAndUpdate(COUNTER, { $inc: { value: 1 } }, { upsert: true });
    if (counter === null) throw new Error('an upsert answered no document');
    return counter.value;
  }
}
