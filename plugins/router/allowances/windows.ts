/** What was taken of limits, in storage: one document for each window that runs, changed by all instances. */
import { isStorageError, type Collection, type Document, type Storage } from 'plugboard/sdk';

interface WindowDocument extends Document {
  /** With what instances hold in advance. */
  readonly used: number;
  readonly ends: Date;
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

  /** Takes `wanted` units, or what is left where that is at least `needed`; answers how many. */
  async take(
    id: string,
    { wanted, needed, limit, ends }: { wanted: number; needed: number; limit: number; ends: number },
  ): Promise<number> {
    for (let units = Math.min(wanted, limit); units >= needed && units > 0;) {
      const room = { _id: id, used: { $lte: limit - units } };
      if ((await this.#documents.findOneAndUpdate(room, { $inc: { used: units } })) !== null) return units;
      const used = await this.used(id);
      if (used === undefined) {
        try {
          await this.#documents.insertOne({ _id: id, used: units, ends: new Date(ends) });
          return units;
        } catch (error) {
          if (!isStorageError(error, 'duplicate_key')) throw error;
        }
      } else units = Math.min(units, limit - used);
    }
    return 0;
  }

  /** Takes units whatever the limit, or gives them back where they are fewer than none. */
  async add(id: string, units: number): Promise<void> {
    await this.#documents.updateOne({ _id: id }, { $inc: { used: units } });
  }

  /** Undefined before anything was taken. */
  async used(id: string): Promise<number | undefined> {
    return (await this.#documents.findOne({ _id: id }))?.used;
  }
}
