/** The administrator's password, and whether management requires a login. */
import { type Collection, type Document, isStorageError, type Storage } from 'plugboard/sdk';
import type { Passwords } from '../password/passwords.js';
import { refuseCommon } from '../password/strength.js';

interface AdminDocument extends Document {
  /** scrypt. */
  readonly password: string;
  /** scrypt of the config's `adminPassword` when it was last adopted; null if it never was. */
  readonly configured: string | null;
}

interface LoginDocument extends Document {
  readonly required: boolean;
}

const ADMIN = { _id: 'admin' };
const LOGIN = { _id: 'login' };

export class AdminSettings {
  readonly #admins: Collection<AdminDocument>;
  readonly #login: Collection<LoginDocument>;
  readonly #passwords: Passwords;
  readonly #requireLogin: boolean;

  /** `requireLogin` applies until the setting is changed. */
  constructor(storage: Storage, passwords: Passwords, requireLogin: boolean) {
    this.#admins = storage.collection<AdminDocument>({ name: 'admins' });
    this.#login = storage.collection<LoginDocument>({ name: 'settings' });
    this.#passwords = passwords;
    this.#requireLogin = requireLogin;
  }

  async requiresLogin(): Promise<boolean> {
    return (await this.#login.findOne(LOGIN))?.required ?? this.#requireLogin;
  }

  async setRequiresLogin(required: boolean): Promise<void> {
    await this.#login.updateOne(LOGIN, { $set: { required } }, { upsert: true });
  }

  /** The password's hash; undefined before the first start has set one. */
  async passwordHash(): Promise<string | undefined> {
    return (await this.#admins.findOne(ADMIN))?.password;
  }

  async setPassword(password: string): Promise<void> {
    await refuseCommon(password);
    await this.#admins.updateOne(ADMIN, { $set: { password: await this.#passwords.hash(password) } });
  }

  async hasPassword(): Promise<boolean> {
    return (await this.passwordHash()) !== undefined;
  }

  /** False if there is a password already, perhaps just set by another instance. */
  async setFirstPassword(password: string): Promise<boolean> {
    return this.#insert({ ...ADMIN, password: await this.#passwords.hash(password), configured: null });
  }

  /**
   * Adopts the config's password if it is new or was changed there since the last time, so that a password
   * changed over HTTP survives a restart, and a lost one can be replaced. True if it replaced another one.
   */
  async adoptPassword(configured: string): Promise<boolean> {
    const stored = await this.#admins.findOne(ADMIN);
    if (
      stored !== null &&
      stored.configured !== null &&
      (await this.#passwords.verify(configured, stored.configured))
    ) {
      return false;
    }
    await refuseCommon(configured);
    const hash = await this.#passwords.hash(configured);
    const fields = { password: hash, configured: hash };
    if (stored === null && (await this.#insert({ ...ADMIN, ...fields }))) return false;
    await this.#admins.updateOne(ADMIN, { $set: fields });
    return stored !== null;
  }

  async #insert(document: AdminDocument): Promise<boolean> {
    try {
      await this.#admins.insertOne(document);
      return true;
    } catch (error) {
      if (isStorageError(error, 'duplicate_key')) return false;
      throw error;
    }
  }
}
