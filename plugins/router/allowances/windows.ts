/** What was taken of limits, in storage: one document for each window that runs, changed by all instances. */
import {
  isStorageError,
  type Collection,
  type Document,
  type Storage,
  type Transaction,
} from 'plugboard/sdk';

interface WindowDocument extends Document {
  /** With what instances hold in advance. */
  readonly used: number;
  readonly ends: Date;
  /** Whether its near exhaustion was reported. */
  readonly warned?: boolean;
}

/** Units that were taken, and those that are used with them. */
export interface Taken {
  readonly units: number;
  readonly used: number;
}

/** Seconds after its end that a window is kept: clocks differ. */
const KEEP = 600;

export class Windows {
  readonly #documents: Collection<WindowDocument>;

  constructor(storage: Storage) {
    this.#documents = storage.collection<WindowDocument>({
      name: 'allowance_windows',
      indexes: [{ keys: { ends: 1 }, expireAfterSeconds: KEEP }],
    });
  }

  /** Takes `wanted` units, or what is left if that is at least `needed`; returns how many. */
  async take(
    id: string,
    { wanted, needed, limit, ends }: { wanted: number; needed: number; limit: number; ends: number },
  ): Promise<Taken> {
    for (let units = Math.min(wanted, limit); units >= needed && units > 0;) {
      const room = { _id: id, used: { $lte: limit - units } };
      const taken = await this.#documents.findOneAndUpdate(room, { $inc: { used: units } });
      if (taken !== null) return { units, used: taken.used };
      const used = await this.used(id);
      if (used === undefined) {
        try {
          await this.#documents.insertOne({ _id: id, used: units, ends: new Date(ends) });
          return { units, used: units };
        } catch (error) {
          if (!isStorageError(error, 'duplicate_key')) throw error;
        }
      } else units = Math.min(units, limit - used);
    }
    return { units: 0, used: limit };
  }

  /** False if it was marked before. */
  async markWarned(id: string, tx?: Transaction): Promise<boolean> {
    const documents = tx === undefined ? this.#documents : this.#documents.with(tx);
    const { matched } = await documents.updateOne(
      { _id: id, warned: { $ne: true } },
      { $set: { warned: true } },
    );
    return matched > 0;
  }

  /** Takes units regardless of the limit; a negative number gives them back. */
  async add(id: string, units: number): Promise<void> {
    await this.#documents.updateOne({ _id: id }, { $inc: { used: units } });
  }

  /** Undefined before anything was taken. */
  async used(id: string): Promise<number | undefined> {
    return (await this.#documents.findOne({ _id: id }))?.used;
  }
}
