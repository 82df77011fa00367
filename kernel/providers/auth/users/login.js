import { errors } from '../errors.js';
import { profileOf } from './users.js';
/** Tells clients that a code is asked for; `app` means an authenticator app. */
const OTP_CHALLENGE = { 'x-github-otp': 'required; app' };
export class UserLogin {
    #users;
    #passwords;
    #lockout;
    constructor(users, passwords, lockout) {
        this.#users = users;
        this.#passwords = passwords;
        this.#lockout = lockout;
    }
    /** `challenge` goes on every refusal. */
    async verify(attempt, challenge) {
        const user = await this.#users.find(attempt.login);
        const login = attempt.login.toLowerCase();
        if (user !== null && user.otp === null && this.#wasRight(user, attempt.password)) {
            await this.#lockout.refuseLocked(login, attempt.address);
        }
        else {
            await this.#lockout.attempt(login, attempt.address, () => this.#check(user, attempt, challenge));
        }
        // `attempt` throws for a login that does not exist.
        if (user === null)
            throw errors.bad_credentials(challenge);
        return profileOf(user);
    }
    #wasRight(user, password) {
        return user.password !== null && this.#passwords.wasRight(password, user.password);
    }
    /** The refusal of a wrong guess; a code that is merely missing is thrown, as it is no guess. */
    async #check(user, { password, otp }, { headers }) {
        const known = user !== null && this.#wasRight(user, password);
        const isRight = known || (await this.#passwords.verify(password, user?.password ?? undefined));
        if (user === null || !isRight)
            return errors.bad_credentials(headers === undefined ? {} : { headers });
        if (user.otp === null)
            return undefined;
        const withChallenge = { headers: { ...headers, ...OTP_CHALLENGE } };
        if (otp === undefined)
            throw errors.otp_required(withChallenge);
        return (await this.#users.acceptOtp(user, otp)) ? undefined : errors.invalid_otp(withChallenge);
    }
}
//# sourceMappingURL=login.js.map