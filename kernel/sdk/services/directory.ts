/** The directory port: people and organizations, each with one number and one login for every plugin. */
import type { Transaction } from '../storage/port.js';

/** What everybody may know of a person or an organization. */
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
  /** An account of another system that somebody's data names, e.g. an archive of events: nobody logs in as it. */
  readonly external: boolean;
  readonly createdAt: Date;
}

/** `id`: default the next free one. `imageId`: default one made of the login. `createdAt`: default now. */
export type NewAccount = Pick<Account, 'login' | 'type'> &
  Partial<Omit<Account, 'login' | 'type' | 'external'>>;

export type AccountChanges = Partial<Pick<Account, 'siteAdmin' | 'imageId' | 'name' | 'email'>>;

/** An account of another system. */
export type ExternalAccount = Pick<Account, 'id' | 'login' | 'type' | 'imageId' | 'avatarUrl'>;

export interface DirectoryFilter {
  /** Default: those of other systems too. */
  readonly external?: boolean;
  /** A part of the login, the name or the e-mail, in any case. */
  readonly search?: string;
}

export interface DirectoryQuery extends DirectoryFilter {
  readonly limit: number;
  /** Only logins after this one, by their lower case. */
  readonly after?: string;
}

export interface Directory {
  /** The same directory inside a transaction of the caller's. */
  with(tx: Transaction): Directory;

  byId(id: number): Promise<Account | null>;
  /** Logins differ in more than their case. */
  byLogin(login: string): Promise<Account | null>;
  /** Those that there are. */
  byIds(ids: readonly number[]): Promise<ReadonlyMap<number, Account>>;
  /** Those that there are, by the lower case of their logins. */
  byLogins(logins: readonly string[]): Promise<ReadonlyMap<string, Account>>;
  /** By login. */
  list(query: DirectoryQuery): Promise<readonly Account[]>;
  count(filter: DirectoryFilter): Promise<number>;

  /**
   * A new account; one of another system that has this login becomes it and keeps its number. Throws `login_taken`, and
   * `number_taken` where an `id` is given that another account has.
   */
  create(account: NewAccount): Promise<Account>;
  /** Null where there is no such account. */
  change(id: number, changes: AccountChanges): Promise<Account | null>;
  /** Removes the account, and in the same transaction what plugins have registered by `onRemove`. False: there was none. */
  remove(id: number): Promise<boolean>;

  /** Adds accounts of other systems whose numbers and logins are free; the others stay as they are. */
  note(accounts: readonly ExternalAccount[]): Promise<void>;
  /**
   * Adds or changes one account of another system; an account of this server stays as it is. Throws `login_taken` and
   * `number_taken` where the number and the login are those of two accounts.
   */
  putExternal(account: ExternalAccount): Promise<void>;
  /** A number beyond `above` that no account has. Neither it nor any up to `above` will be given out. */
  freeId(above?: number): Promise<number>;

  /** Call it in `setup`. `work` does nothing but storage, in the transaction. */
  onRemove(work: (id: number, tx: Transaction) => Promise<void>): void;
}
