/** A user at rest, and what others see of one. */
import type { Access, Document, UserProfile } from 'plugboard/sdk';

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

/** A user as management sees it. */
export interface User extends UserProfile {
  readonly hasPassword: boolean;
  readonly twoFactor: boolean;
  readonly access: Access | null;
  readonly createdAt: Date;
}

export function profileOf(document: UserDocument): UserProfile {
  const { id, login, type, siteAdmin, imageId, name, email } = document;
  return { id, login, type, siteAdmin, imageId, name, email };
}

export function managed(document: UserDocument): User {
  return {
    ...profileOf(document),
    hasPassword: document.password !== null,
    twoFactor: document.otp !== null,
    access: document.access ?? null,
    createdAt: document.createdAt,
  };
}
