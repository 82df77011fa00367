/** A user's credentials at rest, and the management's view of a user; the profile is in the directory. */
import type { Access, Document, Account } from 'plugboard/sdk';

/** `_id` is the number in digits. A user without a document cannot log in. */
export interface CredentialsDocument extends Document {
  /** scrypt. */
  readonly password?: string | null;
  /** The sealed secret, and the last step whose code was accepted. */
  readonly otp?: { readonly secret: string; readonly lastStep: number } | null;
  /** The user's access to the server itself. */
  readonly access?: Access | null;
}

/** A user with credentials, for guards. */
export interface UserWithCredentials {
  readonly profile: Account;
  readonly credentials: CredentialsDocument;
}

/** The management's view of a user. */
export interface User extends Omit<Account, 'avatarUrl' | 'external'> {
  readonly hasPassword: boolean;
  readonly twoFactor: boolean;
  readonly access: Access | null;
}

export function managed(
  { avatarUrl: _, external: __, ...profile }: Account,
  { password, otp, access }: Omit<CredentialsDocument, '_id'> = {},
): User {
  return { ...profile, hasPassword: password != null, twoFactor: otp != null, access: access ?? null };
}
