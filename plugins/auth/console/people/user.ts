/** Users in the server's answers. */
export interface User {
  readonly id: number;
  readonly login: string;
  readonly type: string;
  readonly siteAdmin: boolean;
  readonly name: string | null;
  readonly email: string | null;
  readonly hasPassword: boolean;
  readonly twoFactor: boolean;
  readonly access: 'admin' | 'viewer' | 'member' | null;
  readonly createdAt: string;
}

/** The secret of one-time passwords, only in the answer that enables them. */
export interface Enrolment {
  readonly secret: string;
  readonly uri: string;
}

export const USERS = '/api/users';
