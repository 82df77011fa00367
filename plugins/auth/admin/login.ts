/** The administrator's login: a password for a session. */
import { errors } from '../errors.js';
import type { Lockout } from '../password/lockout.js';
import type { Sessions } from './sessions.js';
import type { AdminSettings } from './settings.js';

export class AdminLogin {
  readonly #settings: AdminSettings;
  readonly #sessions: Sessions;
  readonly #lockout: Lockout;

  constructor(settings: AdminSettings, sessions: Sessions, lockout: Lockout) {
    this.#settings = settings;
    this.#sessions = sessions;
    this.#lockout = lockout;
  }

  /** The token of a new session. `address` is the client's. */
  async login(password: string, address: string): Promise<string> {
    await this.#verify(password, address);
    return this.#sessions.begin();
  }

  /** Ends every other session than the one that asks, which has the id `session` if it is one. */
  async changePassword(
    { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
    session: string | undefined,
    address: string,
  ): Promise<void> {
    await this.#verify(currentPassword, address);
    await this.#settings.setPassword(newPassword);
    await this.#sessions.endOthers(session);
  }

  #verify(password: string, address: string): Promise<void> {
    return this.#lockout.attempt('admin', address, async (verify) => {
      const isRight = await verify(password, await this.#settings.passwordHash());
      return isRight ? undefined : errors.wrong_password();
    });
  }
}
