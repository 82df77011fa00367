/** The seconds of speech that a key may use in a month: the config's number, or its own. */
import type { Changes, Collection, Document, Storage } from 'plugboard/sdk';

interface PlanDocument extends Document {
  readonly seconds: number;
}

export interface Plan {
  readonly key: string;
  /** A month. */
  readonly seconds: number;
  /** Whether the number is the config's. */
  readonly isDefault: boolean;
}

export class Plans {
  readonly #plans: Collection<PlanDocument>;
  readonly #seconds: number;
  readonly #storage: Storage;
  readonly #changes: Changes | undefined;

  /** `seconds`: the plan of a key without its own. */
  constructor(storage: Storage, seconds: number, changes?: Changes) {
    this.#plans = storage.collection<PlanDocument>({ name: 'plans' });
    this.#seconds = seconds;
    this.#storage = storage;
    this.#changes = changes;
  }

  async of(key: string): Promise<Plan> {
    const own = await this.#plans.findOne({ _id: key });
    return { key, seconds: own?.seconds ?? this.#seconds, isDefault: own === null };
  }

  async set(key: string, seconds: number): Promise<Plan> {
    const plan = { key, seconds, isDefault: false };
    const set = { $set: { seconds } };
    await this.#change(plan, (plans) => plans.updateOne({ _id: key }, set, { upsert: true }));
    return plan;
  }

  /** Resets the plan to the config's. */
  async reset(key: string): Promise<Plan> {
    const plan = { key, seconds: this.#seconds, isDefault: true };
    await this.#change(plan, (plans) => plans.deleteOne({ _id: key }));
    return plan;
  }

  /** In a transaction if webhooks are notified. */
  async #change(
    { key, seconds, isDefault }: Plan,
    write: (plans: Collection<PlanDocument>) => Promise<unknown>,
  ): Promise<void> {
    const type = 'speech.allowance.changed';
    if (this.#changes?.wants(type) !== true) {
      await write(this.#plans);
      return;
    }
    await this.#storage.transaction(async (tx) => {
      await write(this.#plans.with(tx));
      await this.#changes?.record(tx, { type, subject: key, data: { key, seconds, default: isDefault } });
    });
  }

  /** The keys with their own plan. */
  async list(): Promise<Plan[]> {
    const own = await this.#plans.find({}, { sort: { _id: 1 }, limit: 1_000 }).toArray();
    return own.map(({ _id, seconds }) => ({ key: _id, seconds, isDefault: false }));
  }
}
