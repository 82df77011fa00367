/** Adds the listings of address and metadata to accounts stored before they could be searched, once. */
import { pagesById, type Collection, type Document, type Storage } from 'plugboard/sdk';
import { listsOf } from '../account/lists.js';
import type { AccountDocument } from '../account/state.js';
import { stateOf, type AccountStore } from './store.js';

interface FormDocument extends Document {
  /** Version: 2 has listings of addresses and metadata. */
  readonly lists: number;
}

const LISTS = 2;

export class Renewal {
  readonly #store: AccountStore;
  readonly #forms: Collection<FormDocument>;

  constructor(storage: Storage, store: AccountStore) {
    this.#store = store;
    this.#forms = storage.collection<FormDocument>({ name: 'forms' });
  }

  /** Continues at the next start if interrupted: renewed accounts are not written again. */
  async run(signal: AbortSignal): Promise<void> {
    const form = await this.#forms.findOne({ _id: 'accounts' });
    if ((form?.lists ?? 1) >= LISTS) return;
    for await (const page of pagesById(this.#store.collection)) {
      for (const document of page) {
        if (signal.aborted) return;
        await this.#renew(document);
      }
    }
    await this.#forms.updateOne({ _id: 'accounts' }, { $set: { lists: LISTS } }, { upsert: true });
  }

  /** An account written since it was read has them already. */
  async #renew(document: AccountDocument): Promise<void> {
    const { _id, version, platform, closed, lists: before } = document;
    const lists = listsOf(platform, closed, stateOf(document));
    if (lists.join() !== before.join())
      await this.#store.collection.updateOne({ _id, version }, { $set: { lists } });
  }
}
