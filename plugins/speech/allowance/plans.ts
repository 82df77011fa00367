/** How much speech a key may make in a month: the config's number, or its own. */
import type { Collection, Document, Storage } from 'plugboard/sdk';

interface PlanDocument extends Document {
  readonly seconds: number;
}

export interface Plan {
  readonly key: string;
  /** A month. */
  readonly seconds: number;
  /** Whether it is the config's. */
  readonly isDefault: boolean;
}

export class Plans {
  readonly #plans: Collection<PlanDocument>;
  readonly #seconds: number;

  /** `seconds` is the plan of a key without one of its own. */
  constructor(storage: Storage, seconds: number) {
    this.#plans = storage.collection<PlanDocument>({ name: 'plans' });
    this.#seconds = seconds;
  }

  async of(key: string): Promise<Plan> {
    const own = await this.#plans.findOne({ _id: key });
    return { key, seconds: own?.seconds ?? this.#seconds, isDefault: own === null };
  }

  async set(key: string, seconds: number): Promise<Plan> {
    await this.#plans.updateOne({ _id: key }, { $set: { seconds } }, { upsert: true });
    return { key, seconds, isDefault: false };
  }

  /** Back to the config's. */
  async reset(key: string): Promise<Plan> {
    await this.#plans.deleteOne({ _id: key });
    return { key, seconds: this.#seconds, isDefault: true };
  }

  /** The keys with a plan of their own. */
  async list(): Promise<Plan[]> {
    const own = await this.#plans.find({}, { sort: { _id: 1 }, limit: 1_000 }).toArray();
    return own.map(({ _id, seconds }) => ({ key: _id, seconds, isDefault: false }));
  }
}
