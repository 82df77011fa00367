/** The directory port: people and organizations, each with one number and one login for every plugin. */
import type { Transaction } from '../storage/port.js';

/** The public part of a person or an organization. */
export interface UserProfile {
  /** Positive integer, never reused. */
  readonly id: number;
  readonly login: string;
  readonly type: 'User' | 'Organization';
  readonly siteAdmin: boolean;
  readonly imageId: string;
  readonly name: string | null;
  readonly email: string | null;
}

/** A person or an organization in the directory. */
export interface Account extends UserProfile {
  readonly avatarUrl: string | null;
  /** An account of another system, named by imported data such as an archive of events: nobody logs in as it. */
  readonly external: boolean;
  readonly createdAt: Date;
}

/** Defaults: `id` the next free one, `imageId` derived from the login, `createdAt` now. */
export type NewAccount = Pick<Account, 'login' | 'type'> &
  Partial<Omit<Account, 'login' | 'type' | 'external'>>;

export type AccountChanges = Partial<Pick<Account, 'siteAdmin' | 'imageId' | 'name' | 'email'>>;

/** An account of another system. */
export type ExternalAccount = Pick<Account, 'id' | 'login' | 'type' | 'imageId' | 'avatarUrl'>;

export interface DirectoryFilter {
  /** Default: those of this and other systems. */
  readonly external?: boolean;
  /** Part of the login, the name or the e-mail, ignoring case. */
  readonly search?: string;
}

export interface DirectoryQuery extends DirectoryFilter {
  readonly limit: number;
  /** Only logins after this one, compared in lower case. */
  readonly after?: string;
}

export interface Directory {
  /** The same directory inside the caller's transaction. */
  with(tx: Transaction): Directory;

  byId(id: number): Promise<Account | null>;
  /** Ignores case: no two logins differ only in case. */
  byLogin(login: string): Promise<Account | null>;
  /** The ones that exist. */
  byIds(ids: readonly number[]): Promise<ReadonlyMap<number, Account>>;
  /** The ones that exist, by login in lower case. */
  byLogins(logins: readonly string[]): Promise<ReadonlyMap<string, Account>>;
  /** By login. */
  list(query: DirectoryQuery): Promise<readonly Account[]>;
  count(filter: DirectoryFilter): Promise<number>;

  /**
   * Creates an account; an account of another system with this login becomes it and keeps its number. Throws
   * `login_taken`, and `number_taken` if another account has the given `id`.
   */
  create(account: NewAccount): Promise<Account>;
  /** Null if there is no such account. */
  change(id: number, changes: AccountChanges): Promise<Account | null>;
  /** Removes the account and runs the `onRemove` work of plugins, in one transaction. False if there was none. */
  remove(id: number): Promise<boolean>;

  /** Adds accounts of other systems whose numbers and logins are free; skips the others. */
  note(accounts: readonly ExternalAccount[]): Promise<void>;
  /**
   * Adds or changes an account of another system; never changes one of this server. Throws `login_taken` or
   * `number_taken` if the number and the login belong to two accounts.
   */
  putExternal(account: ExternalAccount): Promise<void>;
  /** A number greater than `above` that no account has. Neither it nor any up to `above` is assigned later. */
  freeId(above?: number): Promise<number>;

  /** Call it in `setup`. `work` does nothing but storage calls, in the transaction. */
  onRemove(work: (id: number, tx: Transaction) => Promise<void>): void;
}
