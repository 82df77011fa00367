/** Login to the management: name, password and one-time password for a session. */
import type { Access, UserProfile } from 'plugboard/sdk';
import { errors } from '../errors.js';
import type { Lockout } from '../password/lockout.js';
import type { UserLogin } from '../users/login.js';
import type { Users } from '../users/users.js';
import type { Sessions, Visitor } from './sessions.js';
import type { AdminSettings } from './settings.js';

/** The login of the administrator of the first start. */
export const ADMIN_LOGIN = 'admin';

export interface LoginParts {
  readonly admin: AdminSettings;
  readonly sessions: Sessions;
  readonly users: Users;
  readonly userLogin: UserLogin;
  readonly lockout: Lockout;
}

export interface Credentials {
  /** Default: the administrator of the first start. */
  readonly login?: string;
  readonly password: string;
  readonly otp?: string;
}

/** A person with access to the server. */
export interface Operator {
  readonly access: Access;
  readonly user?: UserProfile;
}

export class AdminLogin {
  readonly #parts: LoginParts;

  constructor(parts: LoginParts) {
    this.#parts = parts;
  }

  /** The token of a new session. */
  async login(credentials: Credentials, visitor: Omit<Visitor, 'user'>): Promise<string> {
    const { login, password, otp } = credentials;
    if (login === undefined || login === ADMIN_LOGIN) {
      await this.#verifyAdmin(password, visitor.address);
      return this.#parts.sessions.begin(visitor);
    }
    const { address } = visitor;
    const user = await this.#parts.userLogin.verify({ login, password, otp, address }, {});
    if ((await this.operator(user.id)) === undefined)
      throw errors.no_access({ values: { login: user.login } });
    return this.#parts.sessions.begin({ ...visitor, user: user.id });
  }

  /** The present owner of a session; undefined if the user is gone or no longer has access. */
  async operator(user: number | undefined): Promise<Operator | undefined> {
    if (user === undefined) return { access: 'admin' };
    const found = await this.#parts.users.operator(user);
    return found ?? undefined;
  }

  /** Ends every other session of the person; `session` is the id of the calling session, if any. */
  async changePassword(
    { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
    {
      user,
      session,
      address,
    }: { user: UserProfile | undefined; session: string | undefined; address: string },
  ): Promise<void> {
    if (user === undefined) {
      await this.#verifyAdmin(currentPassword, address);
      await this.#parts.admin.setPassword(newPassword);
    } else {
      await this.#parts.userLogin.verifyPassword({ login: user.login, password: currentPassword, address });
      await this.#parts.users.change(user.id, { password: newPassword });
    }
    await this.#parts.sessions.endOthers(user?.id, session);
  }

  #verifyAdmin(password: string, address: string): Promise<void> {
    return this.#parts.lockout.attempt(ADMIN_LOGIN, address, async (verify) => {
      const isRight = await verify(password, await this.#parts.admin.passwordHash());
      return isRight ? undefined : errors.wrong_password();
    });
  }
}
