/** Accounts in storage. */
import type { Collection, Cursor, Storage, Transaction } from 'plugboard/sdk';
import { listsOf } from '../account/lists.js';
import type { AccountDocument, AccountState } from '../account/state.js';

/** The fields changed by an update. */
export interface Change {
  readonly state: AccountState;
  readonly closed: boolean;
}

export class AccountStore {
  readonly collection: Collection<AccountDocument>;

  constructor(storage: Storage) {
    this.collection = storage.collection<AccountDocument>({
      name: 'accounts',
      indexes: [{ keys: { lists: 1, createdAt: -1, _id: -1 } }],
    });
  }

  async find(platform: string, id: string): Promise<AccountDocument | null> {
    const found = await this.findById(id);
    return found?.platform === platform ? found : null;
  }

  findById(id: string): Promise<AccountDocument | null> {
    return this.collection.findOne({ _id: id });
  }

  /** Throws `duplicate_key` if the id is taken. */
  async insert(document: AccountDocument, tx?: Transaction): Promise<void> {
    await this.#in(tx).insertOne(document);
  }

  /** False if the document was written since it was read. */
  async change(
    { _id, version, platform }: AccountDocument,
    { state, closed }: Change,
    tx?: Transaction,
  ): Promise<boolean> {
    const { matched } = await this.#in(tx).updateOne(
      { _id, version },
      {
        $set: {
          state: JSON.stringify(state),
          closed,
          lists: listsOf(platform, closed, state),
          version: version + 1,
        },
      },
    );
    return matched === 1;
  }

  /** The accounts in all listings after a place, newest first; `before` reads towards newer ones. */
  page(
    [list, ...others]: readonly [string, ...string[]],
    place: Place | undefined,
    limit: number,
  ): Cursor<AccountDocument> {
    const newer = place?.direction === 'before';
    const order = newer ? 1 : -1;
    return this.collection.find(
      {
        lists: list,
        ...(others.length > 0 && { $and: others.map((other) => ({ lists: other })) }),
        ...(place === undefined ? {} : beyond(place, newer ? '$gt' : '$lt')),
      },
      { sort: { createdAt: order, _id: order }, limit, shared: true },
    );
  }

  #in(tx: Transaction | undefined): Collection<AccountDocument> {
    return tx === undefined ? this.collection : this.collection.with(tx);
  }
}

/** A place in a listing, given by an account. */
export interface Place {
  readonly at: Date;
  readonly id: string;
  readonly direction: 'after' | 'before';
}

function beyond({ at, id }: Place, operator: '$gt' | '$lt'): object {
  const inclusive = operator === '$gt' ? '$gte' : '$lte';
  // The bound on the first path makes it an index range; the rest separates accounts of the same instant.
  return {
    createdAt: { [inclusive]: at },
    $or: [{ createdAt: { [operator]: at } }, { createdAt: at, _id: { [operator]: id } }],
  };
}

export function stateOf({ state }: AccountDocument): AccountState {
  return JSON.parse(state) as AccountState;
}
