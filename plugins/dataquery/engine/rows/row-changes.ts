/** Changes of the rows of live tables: stored with them, in their transaction, for subscriptions on every instance. */
import {
  newId,
  type ChangeFeed,
  type Collection,
  type Document,
  type ResumeToken,
  type Storage,
  type Transaction,
} from 'plugboard/sdk';
import type { StoredRow } from '../values/stored.js';

export interface RowChange extends Document {
  /** The rows' collection; empty in a mark, which is only a position among the changes. */
  readonly collection: string;
  readonly at: Date;
  /** Missing for a new row. */
  readonly before?: StoredRow;
  /** Missing for a deleted row. */
  readonly after?: StoredRow;
}

/** Seconds: the store's feed keeps changes by itself, and a document only has to outlive its readers' delays. */
const KEPT = 600;

export class RowChanges {
  readonly #documents: Collection<RowChange>;

  constructor(storage: Storage) {
    this.#documents = storage.collection<RowChange>({
      name: 'row_changes',
      indexes: [{ keys: { at: 1 }, expireAfterSeconds: KEPT }],
    });
  }

  async store(tx: Transaction, changes: readonly RowChange[]): Promise<void> {
    await this.#documents.with(tx).insertMany(changes);
  }

  /** Puts a mark after all changes that are stored now. */
  async mark(id: string): Promise<void> {
    await this.#documents.insertOne({ _id: id, collection: '', at: new Date() });
  }

  /** Throws `history_lost` for a token that the store no longer knows. */
  follow(options: { after?: ResumeToken; signal: AbortSignal }): Promise<ChangeFeed<RowChange>> {
    return this.#documents.changes(options);
  }
}

export function rowChange(
  collection: string,
  at: Date,
  { before, after }: { readonly before?: StoredRow | undefined; readonly after?: StoredRow | undefined },
): RowChange {
  return { _id: newId(), collection, at, ...(before && { before }), ...(after && { after }) };
}
