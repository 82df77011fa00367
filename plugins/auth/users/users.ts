/** Users and organizations: made, changed and found. */
import {
  type Access,
  type Clock,
  type Collection,
  type Document,
  type Storage,
  type UserProfile,
  isStorageError,
  sha256,
} from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { Passwords } from '../password/passwords.js';
import { refuseCommon } from '../password/strength.js';
import { managed, profileOf, type User, type UserDocument } from './documents.js';

const LONGEST_LOGIN = 39;
/** What a login may look like. */
export const LOGIN_PATTERN = `^[A-Za-z0-9][A-Za-z0-9._-]{0,${LONGEST_LOGIN - 1}}$`;

interface CounterDocument extends Document {
  readonly value: number;
}

export interface NewUser {
  readonly login: string;
  readonly type?: 'User' | 'Organization';
  readonly password?: string;
  readonly siteAdmin?: boolean;
  readonly imageId?: string;
  readonly name?: string | null;
  readonly email?: string | null;
  readonly access?: Access | null;
}

export interface UserChanges {
  readonly password?: string;
  readonly siteAdmin?: boolean;
  readonly imageId?: string;
  readonly name?: string | null;
  readonly email?: string | null;
  readonly access?: Access | null;
}

export class Users {
  /** For what is kept with a user and is a concept of its own. */
  readonly documents: Collection<UserDocument>;
  readonly #counters: Collection<CounterDocument>;
  readonly #passwords: Pick<Passwords, 'hash'>;
  readonly #clock: Clock;

  constructor(storage: Storage, passwords: Pick<Passwords, 'hash'>, clock: Clock) {
    this.documents = storage.collection<UserDocument>({
      name: 'users',
      indexes: [
        { keys: { loginKey: 1 }, unique: true },
        { keys: { id: 1 }, unique: true },
      ],
    });
    this.#counters = storage.collection<CounterDocument>({ name: 'counters' });
    this.#passwords = passwords;
    this.#clock = clock;
  }

  async create({ login, type = 'User', password, ...profile }: NewUser): Promise<User> {
    const mayLogIn = password !== undefined || profile.access != null;
    if (type === 'Organization' && mayLogIn) throw errors.organization_login();
    const loginKey = login.toLowerCase();
    // Before a number is drawn, so that the common mistake leaves no gap; the index decides between two at once.
    if ((await this.find(login)) !== null) throw errors.login_taken({ values: { login } });
    const id = await this.#nextId();
    const document: UserDocument = {
      _id: String(id),
      id,
      login,
      loginKey,
      type,
      siteAdmin: profile.siteAdmin ?? false,
      imageId: profile.imageId ?? sha256(loginKey).slice(0, 32),
      name: profile.name ?? null,
      email: profile.email ?? null,
      password:
        password === undefined ? null : await this.#hash(password, [login, profile.name, profile.email]),
      otp: null,
      access: profile.access ?? null,
      createdAt: new Date(this.#clock.now()),
    };
    try {
      await this.documents.insertOne(document);
    } catch (error) {
      if (isStorageError(error, 'duplicate_key'))
        throw errors.login_taken({ values: { login }, cause: error });
      throw error;
    }
    return managed(document);
  }

  /** By login in alphabetical order. */
  async list({
    limit,
    offset,
  }: {
    limit: number;
    offset: number;
  }): Promise<{ users: User[]; total: number }> {
    const [documents, total] = await Promise.all([
      this.documents.find({}, { sort: { loginKey: 1 }, skip: offset, limit }).toArray(),
      this.documents.countDocuments({}),
    ]);
    return { users: documents.map(managed), total };
  }

  async read(id: number): Promise<User> {
    const document = await this.documents.findOne({ _id: String(id) });
    if (document === null) throw errors.user_not_found({ values: { id } });
    return managed(document);
  }

  async change(id: number, { password, ...profile }: UserChanges): Promise<User> {
    const before = await this.read(id);
    const mayLogIn = password !== undefined || profile.access != null;
    if (before.type === 'Organization' && mayLogIn) throw errors.organization_login();
    if (password === undefined) return this.set(id, profile);
    const { login, name, email } = before;
    return this.set(id, { ...profile, password: await this.#hash(password, [login, name, email]) });
  }

  async #hash(password: string, about: readonly (string | null | undefined)[]): Promise<string> {
    await refuseCommon(password, about);
    return this.#passwords.hash(password);
  }

  async delete(id: number): Promise<void> {
    const deleted = await this.documents.deleteOne({ _id: String(id) });
    if (deleted === 0) throw errors.user_not_found({ values: { id } });
  }

  /** For guards: with the password's hash. */
  async find(login: string): Promise<UserDocument | null> {
    return login.length > LONGEST_LOGIN ? null : this.documents.findOne({ loginKey: login.toLowerCase() });
  }

  async byLogin(login: string): Promise<UserProfile | null> {
    const document = await this.find(login);
    return document === null ? null : profileOf(document);
  }

  async byId(id: number): Promise<UserProfile | null> {
    const document = await this.documents.findOne({ _id: String(id) });
    return document === null ? null : profileOf(document);
  }

  /** The logins of users, by their numbers. */
  async logins(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const found = await this.documents.find({ id: { $in: [...new Set(ids)] } }).toArray();
    return new Map(found.map(({ id, login }) => [id, login]));
  }

  /** A user with access to the server. */
  async operator(id: number): Promise<{ access: Access; user: UserProfile } | null> {
    const document = await this.documents.findOne({ _id: String(id) });
    return document?.access == null ? null : { access: document.access, user: profileOf(document) };
  }

  async set(id: number, fields: Partial<UserDocument>): Promise<User> {
    const isEmpty = Object.keys(fields).length === 0;
    const document = isEmpty
      ? await this.documents.findOne({ _id: String(id) })
      : await this.documents.findOneAndUpdate({ _id: String(id) }, { $set: fields });
    if (document === null) throw errors.user_not_found({ values: { id } });
    return managed(document);
  }

  /** Counts up and never back: the number of a deleted user is not given to another one. */
  async #nextId(): Promise<number> {
    const counter = await this.#counters.findOneAndUpdate(
      { _id: 'users' },
      { $inc: { value: 1 } },
      { upsert: true },
    );
    if (counter === null) throw new Error('an upsert answered no document');
    return counter.value;
  }
}
