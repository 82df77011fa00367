/** The accounts of the directory: found, created, changed and removed. */
import {
  containing,
  isStorageError,
  sha256,
  type Clock,
  type Collection,
  type Directory,
  type DirectoryFilter,
  type DirectoryQuery,
  type ExternalAccount,
  type Filter,
  type NewAccount,
  type AccountChanges,
  type Storage,
  type Transaction,
  type Account,
} from 'plugboard/sdk';
import { ACCOUNTS, accountOf, type AccountDocument } from './documents.js';
import { errors } from './errors.js';
import { Numbers } from './numbers.js';

/** The longest login of another system. */
const LONGEST_LOGIN = 100;
/** Concurrent creations may draw a number that an archive just imported. */
const ATTEMPTS = 5;

interface Parts {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly numbers: Numbers;
  readonly removals: ((id: number, tx: Transaction) => Promise<void>)[];
}

export class Accounts implements Directory {
  readonly #parts: Parts;
  readonly #documents: Collection<AccountDocument>;
  readonly #tx: Transaction | undefined;

  private constructor(parts: Parts, documents: Collection<AccountDocument>, tx?: Transaction) {
    this.#parts = parts;
    this.#documents = documents;
    this.#tx = tx;
  }

  static in(storage: Storage, clock: Clock): Accounts {
    const documents = storage.collection<AccountDocument>(ACCOUNTS);
    return new Accounts(
      { storage, clock, numbers: new Numbers(storage, documents), removals: [] },
      documents,
    );
  }

  with(tx: Transaction): Directory {
    return new Accounts(this.#parts, this.#documents.with(tx), tx);
  }

  async byId(id: number): Promise<Account | null> {
    const found = await this.#documents.findOne({ _id: String(id) });
    return found && accountOf(found);
  }

  async byLogin(login: string): Promise<Account | null> {
    const found = await this.#find(login);
    return found && accountOf(found);
  }

  async byIds(ids: readonly number[]): Promise<ReadonlyMap<number, Account>> {
    const _id = { $in: [...new Set(ids)].map(String) };
    const found = ids.length === 0 ? [] : await this.#documents.find({ _id }).toArray();
    return new Map(found.map((document) => [document.id, accountOf(document)]));
  }

  async byLogins(logins: readonly string[]): Promise<ReadonlyMap<string, Account>> {
    const loginKey = { $in: [...new Set(logins.map((login) => login.toLowerCase()))] };
    const found = logins.length === 0 ? [] : await this.#documents.find({ loginKey }).toArray();
    return new Map(found.map((document) => [document.loginKey, accountOf(document)]));
  }

  async list({ limit, after, ...query }: DirectoryQuery): Promise<readonly Account[]> {
    const filter = { ...filterOf(query), ...(after !== undefined && { loginKey: { $gt: after } }) };
    const found = this.#documents.find(filter, { sort: { loginKey: 1 }, limit });
    return (await found.toArray()).map(accountOf);
  }

  count(filter: DirectoryFilter): Promise<number> {
    return this.#documents.countDocuments(filterOf(filter));
  }

  async create(account: NewAccount): Promise<Account> {
    const { login } = account;
    for (let attempt = 1; ; attempt += 1) {
      const known = await this.#find(login);
      if (known !== null && !known.external) throw errors.login_taken({ values: { login } });
      if (known !== null) {
        const adopted = await this.#adopt(known, account);
        if (adopted !== null) return adopted;
        continue;
      }
      const document = this.#document(account.id ?? (await this.#parts.numbers.next()), account);
      try {
        await this.#documents.insertOne(document);
        if (account.id !== undefined) await this.#parts.numbers.passOver(account.id);
        return accountOf(document);
      } catch (error) {
        if (!isStorageError(error, 'duplicate_key')) throw error;
        if (account.id !== undefined) await this.#refuseNumber(account.id);
        if (attempt === ATTEMPTS) throw errors.login_taken({ values: { login }, cause: error });
      }
    }
  }

  async change(id: number, changes: AccountChanges): Promise<Account | null> {
    if (Object.keys(changes).length === 0) return this.byId(id);
    const changed = await this.#documents.findOneAndUpdate({ _id: String(id) }, { $set: changes });
    return changed && accountOf(changed);
  }

  async remove(id: number): Promise<boolean> {
    const { removals, storage } = this.#parts;
    if (this.#tx !== undefined) return this.#removeIn(this.#documents, this.#tx, id);
    // A standalone MongoDB has no transactions, and one document needs none.
    if (removals.length === 0) return (await this.#documents.deleteOne({ _id: String(id) })) > 0;
    return storage.transaction((tx) => this.#removeIn(this.#documents.with(tx), tx, id));
  }

  async note(accounts: readonly ExternalAccount[]): Promise<void> {
    const ids = await this.byIds(accounts.map(({ id }) => id));
    const logins = await this.byLogins(accounts.map(({ login }) => login));
    const taken = new Set(logins.keys());
    const added = accounts.filter(({ id, login }) => {
      const key = login.toLowerCase();
      if (ids.has(id) || taken.has(key)) return false;
      taken.add(key);
      return true;
    });
    if (added.length > 0)
      await this.#documents.insertMany(added.map((account) => this.#document(account.id, account, true)));
  }

  async putExternal(account: ExternalAccount): Promise<void> {
    const { id, login, type, imageId, avatarUrl } = account;
    const loginKey = login.toLowerCase();
    const known = await this.#documents.findOne({ _id: String(id) });
    const holder = await this.#find(login);
    if (holder !== null && holder.id !== id) throw errors.login_taken({ values: { login } });
    if (known === null) await this.#documents.insertOne(this.#document(id, account, true));
    else if (known.external)
      await this.#documents.updateOne(
        { _id: known._id },
        { $set: { login, loginKey, type, imageId, avatarUrl } },
      );
    else if (known.loginKey !== loginKey) throw errors.number_taken({ values: { id, login: known.login } });
  }

  async freeId(above = 0): Promise<number> {
    await this.#parts.numbers.passOver(above);
    return this.#parts.numbers.next();
  }

  onRemove(work: (id: number, tx: Transaction) => Promise<void>): void {
    this.#parts.removals.push(work);
  }

  async #find(login: string): Promise<AccountDocument | null> {
    return login.length > LONGEST_LOGIN ? null : this.#documents.findOne({ loginKey: login.toLowerCase() });
  }

  async #refuseNumber(id: number): Promise<void> {
    const holder = await this.byId(id);
    if (holder !== null) throw errors.number_taken({ values: { id, login: holder.login } });
  }

  /** Null if it was adopted or removed meanwhile. */
  async #adopt({ _id }: AccountDocument, account: NewAccount): Promise<Account | null> {
    const { id: _, ...fields } = account;
    const adopted = await this.#documents.findOneAndUpdate(
      { _id, external: true },
      { $set: { createdAt: new Date(this.#parts.clock.now()), ...fields, external: false } },
    );
    return adopted && accountOf(adopted);
  }

  async #removeIn(documents: Collection<AccountDocument>, tx: Transaction, id: number): Promise<boolean> {
    const removed = await documents.deleteOne({ _id: String(id) });
    for (const work of this.#parts.removals) await work(id, tx);
    return removed > 0;
  }

  #document(id: number, account: NewAccount, external = false): AccountDocument {
    const { login, type, siteAdmin = false, avatarUrl = null, name = null, email = null } = account;
    const loginKey = login.toLowerCase();
    const { imageId = sha256(loginKey).slice(0, 32) } = account;
    const { createdAt = new Date(this.#parts.clock.now()) } = account;
    return {
      _id: String(id),
      id,
      login,
      loginKey,
      type,
      siteAdmin,
      imageId,
      avatarUrl,
      name,
      email,
      external,
      createdAt,
    };
  }
}

const SEARCHED = ['login', 'name', 'email'] as const;

function filterOf({ external, search = '' }: DirectoryFilter): Filter<AccountDocument> {
  return {
    ...(external !== undefined && { external }),
    ...(search !== '' && containing<AccountDocument>(search, SEARCHED)),
  };
}
