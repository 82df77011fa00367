/** Checks passwords: the same work for a login that does not exist, no work for one just found right. */
import { createHmac, randomBytes } from 'node:crypto';
import { hashPassword, verifyPassword } from '../../../sdk/crypto.js';
/** Milliseconds for which a password that was right need not be hashed again. */
const REMEMBERED_FOR = 5 * 60_000;
const REMEMBERED = 1_000;
export class Passwords {
    #clock;
    /** Random for each process: what is remembered is worthless outside of it. */
    #pepper = randomBytes(32);
    /** Until when, by HMAC of password and stored hash; a changed password is thereby forgotten. */
    #right = new Map();
    constructor(clock) {
        this.#clock = clock;
    }
    /** `hashed` is undefined for a login that does not exist: the answer is false, after as long a time. */
    async verify(password, hashed) {
        if (hashed === undefined) {
            await hashPassword(password);
            return false;
        }
        const isRight = await verifyPassword(password, hashed);
        if (isRight)
            this.#remember(password, hashed);
        return isRight;
    }
    /** Whether this password was found right a short while ago. Clients of Basic send it with every request. */
    wasRight(password, hashed) {
        const until = this.#right.get(this.#digest(password, hashed));
        return until !== undefined && this.#clock.now() < until;
    }
    #remember(password, hashed) {
        if (this.#right.size >= REMEMBERED)
            this.#right.clear();
        this.#right.set(this.#digest(password, hashed), this.#clock.now() + REMEMBERED_FOR);
    }
    #digest(password, hashed) {
        return createHmac('sha256', this.#pepper).update(hashed).update('\0').update(password).digest('base64');
    }
}
//# sourceMappingURL=passwords.js.map