/** An account at rest. */
import type { CollectionSpec, Document, Account } from 'plugboard/sdk';

/** `_id` is the number in digits. */
export interface AccountDocument extends Document, Account {
  /** The login in lower case. */
  readonly loginKey: string;
}

export const ACCOUNTS: CollectionSpec = {
  name: 'accounts',
  indexes: [
    { keys: { loginKey: 1 }, unique: true },
    { keys: { id: 1 }, unique: true },
    { keys: { external: 1, loginKey: 1 } },
  ],
};

export function accountOf({ _id, loginKey: _, ...account }: AccountDocument): Account {
  return account;
}
