/** Authorizations whose creation, change and deletion are recorded for endpoints, in the same transaction. */
import type { Changes, Collection, Filter, Storage, Transaction, Update } from 'plugboard/sdk';
import type { AuthorizationDocument } from './documents.js';

type Documents = Collection<AuthorizationDocument>;
type Kind = 'created' | 'updated' | 'revoked';

export class RecordedAuthorizations {
  readonly #storage: Storage;
  readonly #documents: Documents;
  readonly #changes: Changes | undefined;

  constructor(storage: Storage, documents: Documents, changes: Changes | undefined) {
    this.#storage = storage;
    this.#documents = documents;
    this.#changes = changes;
  }

  countDocuments(filter: Filter<AuthorizationDocument>): Promise<number> {
    return this.#documents.countDocuments(filter);
  }

  async insertOne(document: AuthorizationDocument): Promise<void> {
    if (!this.#tells('created')) return this.#documents.insertOne(document);
    await this.#storage.transaction(async (tx) => {
      await this.#documents.with(tx).insertOne(document);
      await this.#tell(tx, 'created', [document]);
    });
  }

  async findOneAndUpdate(
    filter: Filter<AuthorizationDocument>,
    update: Update<AuthorizationDocument>,
  ): Promise<AuthorizationDocument | null> {
    if (!this.#tells('updated')) return this.#documents.findOneAndUpdate(filter, update);
    return this.#storage.transaction(async (tx) => {
      const changed = await this.#documents.with(tx).findOneAndUpdate(filter, update);
      if (changed !== null) await this.#tell(tx, 'updated', [changed]);
      return changed;
    });
  }

  deleteOne(filter: Filter<AuthorizationDocument>): Promise<number> {
    return this.#delete(filter, { limit: 1 });
  }

  /** Of one user. */
  deleteMany(filter: Filter<AuthorizationDocument>): Promise<number> {
    return this.#delete(filter);
  }

  /** With the recorded changes of the authorizations: their user is erased. */
  erase(filter: Filter<AuthorizationDocument>): Promise<number> {
    return this.#delete(filter, { erases: true });
  }

  async #delete(
    filter: Filter<AuthorizationDocument>,
    { limit, erases = false }: { readonly limit?: 1; readonly erases?: boolean } = {},
  ): Promise<number> {
    if (!this.#tells('revoked') && !(erases && this.#changes?.on === true))
      return limit === 1 ? this.#documents.deleteOne(filter) : this.#documents.deleteMany(filter);
    return this.#storage.transaction(async (tx) => {
      const documents = this.#documents.with(tx);
      const found = await documents.find(filter, limit === undefined ? {} : { limit }).toArray();
      const deleted = await documents.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
      await this.#tell(tx, 'revoked', found, erases);
      return deleted;
    });
  }

  #tells(kind: Kind): boolean {
    return this.#changes?.wants(`authorization.${kind}`) === true;
  }

  async #tell(
    tx: Transaction,
    kind: Kind,
    documents: readonly AuthorizationDocument[],
    erases = false,
  ): Promise<void> {
    await this.#changes?.record(
      tx,
      ...documents.map(({ id, userId, app, scopes }) => ({
        type: `authorization.${kind}`,
        subject: String(id),
        data: { id, user_id: userId, client_id: app?.clientId ?? null, scopes },
        erases,
      })),
    );
  }
}
