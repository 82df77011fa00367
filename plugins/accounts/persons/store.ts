/** Persons in storage, sealed. */
import type { Collection, Secrets, Storage, Transaction } from 'plugboard/sdk';
import type { Person, PersonData, PersonDocument } from './person.js';

export class PersonStore {
  readonly #collection: Collection<PersonDocument>;
  readonly #secrets: Secrets;

  constructor(storage: Storage, secrets: Secrets) {
    this.#collection = storage.collection<PersonDocument>({
      name: 'persons',
      indexes: [{ keys: { account: 1, createdAt: -1, _id: -1 } }],
    });
    this.#secrets = secrets;
    secrets.keeps('persons of accounts', this.#collection, 'sealed', contextOf);
  }

  async find(account: string, id: string): Promise<Person | undefined> {
    const found = await this.#collection.findOne({ _id: id, account });
    return found === null ? undefined : this.#opened(found);
  }

  /** Newest first; an account has at most one page of persons. */
  async of(account: string): Promise<Person[]> {
    const found = await this.#collection
      .find({ account }, { sort: { createdAt: -1, _id: -1 }, limit: MOST_PERSONS })
      .toArray();
    return found.map((document) => this.#opened(document));
  }

  async put(tx: Transaction, platform: string, person: Person): Promise<void> {
    const { id: _id, account, data, createdAt, updatedAt } = person;
    const sealed = this.#secrets.seal(JSON.stringify(data), contextOf(_id));
    const document = { _id, platform, account, sealed, createdAt, updatedAt };
    await this.#collection.with(tx).replaceOne({ _id }, document, { upsert: true });
  }

  async remove(tx: Transaction, id: string): Promise<void> {
    await this.#collection.with(tx).deleteOne({ _id: id });
  }

  /** Data sealed with a key that is no longer listed is lost: it can be given again. */
  #opened({ _id: id, account, sealed, createdAt, updatedAt }: PersonDocument): Person {
    let data: PersonData = {};
    try {
      data = JSON.parse(this.#secrets.open(sealed, contextOf(id))) as PersonData;
    } catch {
      // As if nothing had been given.
    }
    return { id, account, data, createdAt, updatedAt };
  }
}

/** Persons per account. */
export const MOST_PERSONS = 100;

function contextOf(id: string): string {
  return `person:${id}`;
}
