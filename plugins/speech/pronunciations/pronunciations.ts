/** A key's own readings of words. */
import type { Collection, Document, Filter, Storage } from 'plugboard/sdk';
import { Dictionary, type DictionaryEntry } from '../normalise/dictionary.js';

/** Per key. */
export const MOST_ENTRIES = 1_000;

interface EntryDocument extends Document {
  readonly written: string;
  readonly spoken: string;
}

export class Pronunciations {
  readonly #entries: Collection<EntryDocument>;

  constructor(storage: Storage) {
    this.#entries = storage.collection<EntryDocument>({ name: 'pronunciations' });
  }

  async list(owner: string): Promise<DictionaryEntry[]> {
    const entries = await this.#entries.find(of(owner), { sort: { _id: 1 }, limit: MOST_ENTRIES }).toArray();
    return entries.map(({ written, spoken }) => ({ written, spoken }));
  }

  /** Undefined for a key without entries. */
  async dictionaryOf(owner: string): Promise<Dictionary | undefined> {
    const entries = await this.list(owner);
    return entries.length === 0 ? undefined : new Dictionary(entries);
  }

  /** False if the key has reached its limit. */
  async set(owner: string, { written, spoken }: DictionaryEntry): Promise<boolean> {
    const _id = `${owner}:${written}`;
    const { matched } = await this.#entries.updateOne({ _id }, { $set: { spoken } });
    if (matched === 1) return true;
    if ((await this.list(owner)).length >= MOST_ENTRIES) return false;
    await this.#entries.updateOne({ _id }, { $set: { written, spoken } }, { upsert: true });
    return true;
  }

  /** False if there was none. */
  async remove(owner: string, written: string): Promise<boolean> {
    return (await this.#entries.deleteOne({ _id: `${owner}:${written}` })) === 1;
  }

  async forget(owners: readonly string[]): Promise<number> {
    let entries = 0;
    for (const owner of owners) entries += await this.#entries.deleteMany(of(owner));
    return entries;
  }
}

function of(owner: string): Filter<EntryDocument> {
  return { _id: { $gte: `${owner}:`, $lt: `${owner};` } };
}
