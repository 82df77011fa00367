/** Users known to identity providers, each by issuer and subject. */
import {
  type Access,
  type Collection,
  type Directory,
  type Document,
  type Storage,
  isStorageError,
  randomToken,
  sha256,
} from 'plugboard/sdk';
import type { User } from './documents.js';
import type { Users } from './users.js';

/** A user of an identity provider; the id combines issuer and subject. */
interface IdentityDocument extends Document {
  readonly user: number;
}

/** A user's profile from an identity provider. */
export interface ExternalProfile {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly preferred: string;
}

export class Identities {
  readonly #documents: Collection<IdentityDocument>;
  readonly #users: Users;
  readonly #directory: Pick<Directory, 'byId' | 'byLogin' | 'remove'>;

  constructor(storage: Storage, users: Users, directory: Pick<Directory, 'byId' | 'byLogin' | 'remove'>) {
    this.#documents = storage.collection<IdentityDocument>({ name: 'identities' });
    this.#users = users;
    this.#directory = directory;
  }

  /**
   * The user of an issuer and subject, with the access that the provider grants now. A new user gets a free login; an
   * e-mail address in use does not identify anyone. A deleted user comes back as a new one.
   */
  async visit(person: ExternalProfile, access: Access | null): Promise<User> {
    const { name, email } = person;
    const _id = sha256(JSON.stringify([person.issuer, person.subject]));
    const known = await this.#documents.findOne({ _id });
    if (known !== null && (await this.#directory.byId(known.user)) === null)
      await this.#documents.deleteOne({ _id, user: known.user });
    else if (known !== null) return this.#users.change(known.user, { name, email, access });
    return this.#users.change(await this.#firstVisit(_id, person), { name, email, access });
  }

  async forget(user: number): Promise<void> {
    await this.#documents.deleteMany({ user });
  }

  /** Of two concurrent first visits, one creates the user. */
  async #firstVisit(_id: string, { preferred }: ExternalProfile): Promise<number> {
    const { id } = await this.#users.create({ login: await this.#freeLogin(preferred) });
    try {
      await this.#documents.insertOne({ _id, user: id });
      return id;
    } catch (error) {
      if (!isStorageError(error, 'duplicate_key')) throw error;
      await this.#directory.remove(id);
      const other = await this.#documents.findOne({ _id });
      if (other === null) throw error;
      return other.user;
    }
  }

  async #freeLogin(preferred: string): Promise<string> {
    const base =
      preferred
        .replaceAll(/[^A-Za-z0-9._-]/g, '-')
        .replace(/^[^A-Za-z0-9]+/, '')
        .slice(0, 30) || 'user';
    if (base.toLowerCase() !== 'admin' && (await this.#directory.byLogin(base)) === null) return base;
    return `${base}-${randomToken(6).replaceAll(/[^A-Za-z0-9]/g, '0')}`;
  }
}
