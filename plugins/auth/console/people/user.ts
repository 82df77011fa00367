/** Users as the server answers them. */
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

/** The secret of one-time passwords, in the answer that turns them on alone. */
export interface Enrolment {
  readonly secret: string;
  readonly uri: string;
}

export const USERS = '/api/users';
