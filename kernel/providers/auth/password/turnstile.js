/** Lets a few password checks through at a time; the others queue. */
import { errors } from '../errors.js';
/** scrypt fills one of libuv's four threads for 60 ms: two are left to files and name lookups. */
const AT_ONCE = 2;
const QUEUE = 200;
export class Turnstile {
    #waiting = [];
    #inside = 0;
    /** Throws `auth_busy` when the queue is full. */
    async pass(work) {
        await this.#enter();
        try {
            return await work();
        }
        finally {
            this.#leave();
        }
    }
    async #enter() {
        if (this.#inside < AT_ONCE) {
            this.#inside += 1;
            return;
        }
        if (this.#waiting.length >= QUEUE)
            throw errors.auth_busy({ headers: { 'retry-after': '1' } });
        await new Promise((resolve) => this.#waiting.push(resolve));
    }
    /** Hands the place on to the first in the queue. */
    #leave() {
        const next = this.#waiting.shift();
        if (next === undefined)
            this.#inside -= 1;
        else
            next();
    }
}
//# sourceMappingURL=turnstile.js.map