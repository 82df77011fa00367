/** Users and organizations of this server: directory entries with credentials. */
import type { Access, Collection, Directory, AccountChanges, Storage, Account } from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { Passwords } from '../password/passwords.js';
import { refuseCommon } from '../password/strength.js';
import { managed, type CredentialsDocument, type User, type UserWithCredentials } from './documents.js';

/** The form of a login. */
export const LOGIN_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{0,38}$';

export interface UserChanges extends AccountChanges {
  readonly password?: string;
  readonly access?: Access | null;
}

export interface NewUser extends UserChanges {
  readonly login: string;
  readonly type?: Account['type'];
}

export interface UserQuery {
  readonly limit: number;
  /** The last login of the previous page. */
  readonly after?: string;
  readonly search?: string;
}

export interface UserPage {
  readonly users: User[];
  readonly total: number;
  /** `after` of the next page; null on the last one. */
  readonly next: string | null;
}

export class Users {
  readonly credentials: Collection<CredentialsDocument>;
  readonly #directory: Directory;
  readonly #passwords: Pick<Passwords, 'hash'>;

  constructor(storage: Storage, directory: Directory, passwords: Pick<Passwords, 'hash'>) {
    this.credentials = storage.collection<CredentialsDocument>({ name: 'credentials' });
    this.#directory = directory;
    this.#passwords = passwords;
  }

  async create({ login, type = 'User', password, access, ...profile }: NewUser): Promise<User> {
    if (type === 'Organization' && (password !== undefined || access != null))
      throw errors.organization_login();
    const hashed = await this.#hash(password, [login, profile.name, profile.email]);
    const created = await this.#directory.create({ login, type, ...profile });
    return managed(created, await this.setCredentials(created.id, { ...hashed, ...withAccess(access) }));
  }

  /** By login in alphabetical order, without accounts of other systems. `total` is over all pages. */
  async list({ limit, after, search }: UserQuery): Promise<UserPage> {
    const filter = { external: false, ...(search !== undefined && { search }) };
    const [found, total] = await Promise.all([
      this.#directory.list({
        ...filter,
        // One extra row tells whether there is a next page.
        limit: limit + 1,
        ...(after !== undefined && { after: after.toLowerCase() }),
      }),
      this.#directory.count(filter),
    ]);
    const profiles = found.slice(0, limit);
    const next = found.length > limit ? (profiles.at(-1)?.login ?? null) : null;
    const ids = profiles.map(({ id }) => String(id));
    const documents = await this.credentials.find({ _id: { $in: ids } }).toArray();
    const credentials = new Map(documents.map((document) => [document._id, document]));
    const users = profiles.map((profile) => managed(profile, credentials.get(String(profile.id))));
    return { users, total, next };
  }

  async read(id: number): Promise<User> {
    const [profile, credentials] = await Promise.all([
      this.#directory.byId(id),
      this.credentials.findOne({ _id: String(id) }),
    ]);
    return managed(ofThisServer(profile, id), credentials ?? undefined);
  }

  async change(id: number, { password, access, ...changes }: UserChanges): Promise<User> {
    const { type, login, name, email } = await this.read(id);
    if (type === 'Organization' && (password !== undefined || access != null))
      throw errors.organization_login();
    const hashed = await this.#hash(password, [login, name, email]);
    const changed = ofThisServer(await this.#directory.change(id, changes), id);
    return managed(changed, await this.setCredentials(id, { ...hashed, ...withAccess(access) }));
  }

  /** Nobody can log in as the user any more. */
  async forget(id: number): Promise<void> {
    await this.credentials.deleteOne({ _id: String(id) });
  }

  /** For guards. */
  async find(login: string): Promise<UserWithCredentials | null> {
    const profile = await this.#directory.byLogin(login);
    const credentials = profile && (await this.credentials.findOne({ _id: String(profile.id) }));
    return profile && { profile, credentials: credentials ?? { _id: String(profile.id) } };
  }

  byLogin(login: string): Promise<Account | null> {
    return this.#directory.byLogin(login);
  }

  /** The logins of users, by their numbers. */
  async logins(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const profiles = await this.#directory.byIds(ids);
    return new Map([...profiles].map(([id, { login }]) => [id, login]));
  }

  /** A user with access to the server. */
  async operator(id: number): Promise<{ access: Access; user: Account } | null> {
    const [credentials, user] = await Promise.all([
      this.credentials.findOne({ _id: String(id) }),
      this.#directory.byId(id),
    ]);
    return user === null || credentials?.access == null ? null : { access: credentials.access, user };
  }

  /** Returns the stored credentials. */
  async setCredentials(id: number, fields: Omit<CredentialsDocument, '_id'>): Promise<CredentialsDocument> {
    const _id = String(id);
    const found =
      Object.keys(fields).length === 0
        ? await this.credentials.findOne({ _id })
        : await this.credentials.findOneAndUpdate({ _id }, { $set: fields }, { upsert: true });
    return found ?? { _id };
  }

  async #hash(
    password: string | undefined,
    about: readonly (string | null | undefined)[],
  ): Promise<{ password?: string }> {
    if (password === undefined) return {};
    await refuseCommon(password, about);
    return { password: await this.#passwords.hash(password) };
  }
}

function withAccess(access: Access | null | undefined): { access?: Access | null } {
  return access === undefined ? {} : { access };
}

function ofThisServer(profile: Account | null, id: number): Account {
  if (profile === null || profile.external) throw errors.user_not_found({ values: { id } });
  return profile;
}
