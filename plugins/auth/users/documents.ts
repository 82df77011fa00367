/** How a user logs in, at rest, and what management sees of one; who the user is stands in the directory. */
import type { Access, Document, Account } from 'plugboard/sdk';

/** `_id` is the number in digits. A user without a document cannot log in. */
export interface CredentialsDocument extends Document {
  /** scrypt. */
  readonly password?: string | null;
  /** The sealed secret, and the last step whose code was accepted. */
  readonly otp?: { readonly secret: string; readonly lastStep: number } | null;
  /** What the user may do with the server itself. */
  readonly access?: Access | null;
}

/** A user with what guards compare. */
export interface UserWithCredentials {
  readonly profile: Account;
  readonly credentials: CredentialsDocument;
}

/** A user as management sees it. */
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
