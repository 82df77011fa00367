/** The administrator's login: a password for a session. */
import { errors } from '../errors.js';
export class AdminLogin {
    #settings;
    #sessions;
    #passwords;
    #lockout;
    constructor(settings, sessions, passwords, lockout) {
        this.#settings = settings;
        this.#sessions = sessions;
        this.#passwords = passwords;
        this.#lockout = lockout;
    }
    /** The token of a new session. `address` is the client's. */
    async login(password, address) {
        await this.#verify(password, address);
        return this.#sessions.begin();
    }
    /** Ends every other session than the one that asks, which has the id `session` if it is one. */
    async changePassword({ currentPassword, newPassword }, session, address) {
        await this.#verify(currentPassword, address);
        await this.#settings.setPassword(newPassword);
        await this.#sessions.endOthers(session);
    }
    #verify(password, address) {
        return this.#lockout.attempt('admin', address, async () => {
            const isRight = await this.#passwords.verify(password, await this.#settings.passwordHash());
            return isRight ? undefined : errors.wrong_password();
        });
    }
}
//# sourceMappingURL=login.js.map