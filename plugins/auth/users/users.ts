/** Users and organizations at rest. */
import {
  type Access,
  type Clock,
  type Collection,
  type Document,
  type Secrets,
  type Storage,
  type UserProfile,
  isStorageError,
  randomToken,
  sha256,
} from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { Passwords } from '../password/passwords.js';
import { refuseCommon } from '../password/strength.js';
import { matchingStep, newTotpSecret, totpUri } from './totp.js';

const LONGEST_LOGIN = 39;
/** What a login may look like. */
export const LOGIN_PATTERN = `^[A-Za-z0-9][A-Za-z0-9._-]{0,${LONGEST_LOGIN - 1}}$`;

export interface UserDocument extends Document {
  /** The same number as in `_id`. */
  readonly id: number;
  readonly login: string;
  /** The login in lower case: logins differ in more than their case. */
  readonly loginKey: string;
  readonly type: 'User' | 'Organization';
  readonly siteAdmin: boolean;
  readonly imageId: string;
  readonly name: string | null;
  readonly email: string | null;
  /** scrypt; null for an organization, and for a user who may not log in. */
  readonly password: string | null;
  /** The sealed secret, and the last step whose code was accepted. */
  readonly otp: { readonly secret: string; readonly lastStep: number } | null;
  /** What the user may do with the server itself; absent or null: nothing. */
  readonly access?: Access | null;
  readonly createdAt: Date;
}

/** Whom an identity provider knows; the id is made of its issuer and the subject. */
interface IdentityDocument extends Document {
  readonly user: number;
}

interface CounterDocument extends Document {
  readonly value: number;
}

/** A user as management sees it. */
export interface User extends UserProfile {
  readonly hasPassword: boolean;
  readonly twoFactor: boolean;
  readonly access: Access | null;
  readonly createdAt: Date;
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

/** What an identity provider says of a user. */
export interface ExternalProfile {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly preferred: string;
}

export interface Enrolment {
  /** Base32, shown once. */
  readonly secret: string;
  /** What an authenticator app reads from a QR code. */
  readonly uri: string;
}

export class Users {
  readonly #documents: Collection<UserDocument>;
  readonly #counters: Collection<CounterDocument>;
  readonly #identities: Collection<IdentityDocument>;
  readonly #secrets: Secrets;
  readonly #passwords: Pick<Passwords, 'hash'>;
  readonly #clock: Clock;

  constructor(storage: Storage, secrets: Secrets, passwords: Pick<Passwords, 'hash'>, clock: Clock) {
    this.#documents = storage.collection<UserDocument>({
      name: 'users',
      indexes: [
        { keys: { loginKey: 1 }, unique: true },
        { keys: { id: 1 }, unique: true },
      ],
    });
    this.#counters = storage.collection<CounterDocument>({ name: 'counters' });
    this.#identities = storage.collection<IdentityDocument>({ name: 'identities' });
    this.#secrets = secrets;
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
      await this.#documents.insertOne(document);
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
      this.#documents.find({}, { sort: { loginKey: 1 }, skip: offset, limit }).toArray(),
      this.#documents.countDocuments({}),
    ]);
    return { users: documents.map(managed), total };
  }

  async read(id: number): Promise<User> {
    const document = await this.#documents.findOne({ _id: String(id) });
    if (document === null) throw errors.user_not_found({ values: { id } });
    return managed(document);
  }

  async change(id: number, { password, ...profile }: UserChanges): Promise<User> {
    const before = await this.read(id);
    const mayLogIn = password !== undefined || profile.access != null;
    if (before.type === 'Organization' && mayLogIn) throw errors.organization_login();
    if (password === undefined) return this.#set(id, profile);
    const { login, name, email } = before;
    return this.#set(id, { ...profile, password: await this.#hash(password, [login, name, email]) });
  }

  async #hash(password: string, about: readonly (string | null | undefined)[]): Promise<string> {
    await refuseCommon(password, about);
    return this.#passwords.hash(password);
  }

  async delete(id: number): Promise<void> {
    const deleted = await this.#documents.deleteOne({ _id: String(id) });
    if (deleted === 0) throw errors.user_not_found({ values: { id } });
  }

  /** Turns two-factor authentication on, with a new secret if it is on already. */
  async enrol(id: number): Promise<Enrolment> {
    const { login, type } = await this.read(id);
    if (type === 'Organization') throw errors.organization_login();
    const secret = newTotpSecret();
    await this.#set(id, { otp: { secret: this.#secrets.seal(secret, otpContext(id)), lastStep: 0 } });
    return { secret, uri: totpUri(secret, login) };
  }

  async disableOtp(id: number): Promise<User> {
    return this.#set(id, { otp: null });
  }

  /** For guards: with the password's hash. */
  async find(login: string): Promise<UserDocument | null> {
    return login.length > LONGEST_LOGIN ? null : this.#documents.findOne({ loginKey: login.toLowerCase() });
  }

  /** Each code is accepted once (RFC 6238 5.2), also when it is sent twice at the same time. */
  async acceptOtp(user: UserDocument, code: string): Promise<boolean> {
    if (user.otp === null) return true;
    const secret = this.#otpSecret(user.otp.secret, user.id);
    const step = matchingStep(secret, code, this.#clock.now());
    if (step === undefined) return false;
    const { matched } = await this.#documents.updateOne(
      { _id: user._id, 'otp.secret': user.otp.secret, 'otp.lastStep': { $lt: step } },
      { $set: { 'otp.lastStep': step } },
    );
    return matched === 1;
  }

  #otpSecret(sealed: string, id: number): string {
    try {
      return this.#secrets.open(sealed, otpContext(id));
    } catch (error) {
      throw errors.otp_unreadable({ cause: error });
    }
  }

  async byLogin(login: string): Promise<UserProfile | null> {
    const document = await this.find(login);
    return document === null ? null : profileOf(document);
  }

  async byId(id: number): Promise<UserProfile | null> {
    const document = await this.#documents.findOne({ _id: String(id) });
    return document === null ? null : profileOf(document);
  }

  /**
   * The user whom an identity provider knows by issuer and subject, with the access that it grants now. A new one gets a
   * login that is free; an address that somebody else has makes nobody the same person.
   */
  async external(person: ExternalProfile, access: Access | null): Promise<UserProfile> {
    const { name, email } = person;
    const _id = sha256(JSON.stringify([person.issuer, person.subject]));
    const known = await this.#identities.findOne({ _id });
    const id = known?.user ?? (await this.#firstVisit(_id, person));
    return this.#set(id, { name, email, access });
  }

  /** Of two first visits at once one makes the user. */
  async #firstVisit(_id: string, { preferred }: ExternalProfile): Promise<number> {
    const { id } = await this.create({ login: await this.#freeLogin(preferred) });
    try {
      await this.#identities.insertOne({ _id, user: id });
      return id;
    } catch (error) {
      if (!isStorageError(error, 'duplicate_key')) throw error;
      await this.delete(id);
      const other = await this.#identities.findOne({ _id });
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
    if (base.toLowerCase() !== 'admin' && (await this.find(base)) === null) return base;
    return `${base}-${randomToken(6).replaceAll(/[^A-Za-z0-9]/g, '0')}`;
  }

  /** The logins of users, by their numbers. */
  async logins(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const found = await this.#documents.find({ id: { $in: [...new Set(ids)] } }).toArray();
    return new Map(found.map(({ id, login }) => [id, login]));
  }

  /** A user with access to the server. */
  async operator(id: number): Promise<{ access: Access; user: UserProfile } | null> {
    const document = await this.#documents.findOne({ _id: String(id) });
    return document?.access == null ? null : { access: document.access, user: profileOf(document) };
  }

  async #set(id: number, fields: Partial<UserDocument>): Promise<User> {
    const isEmpty = Object.keys(fields).length === 0;
    const document = isEmpty
      ? await this.#documents.findOne({ _id: String(id) })
      : await this.#documents.findOneAndUpdate({ _id: String(id) }, { $set: fields });
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

export function profileOf(document: UserDocument): UserProfile {
  const { id, login, type, siteAdmin, imageId, name, email } = document;
  return { id, login, type, siteAdmin, imageId, name, email };
}

function managed(document: UserDocument): User {
  return {
    ...profileOf(document),
    hasPassword: document.password !== null,
    twoFactor: document.otp !== null,
    access: document.access ?? null,
    createdAt: document.createdAt,
  };
}

function otpContext(id: number): string {
  return `auth.users/${id}/otp`;
}
