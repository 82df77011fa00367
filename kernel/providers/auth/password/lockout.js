/** Slows guessing down: too many failures within a window lock a login, or an address, for as long again. */
import { isIPv6 } from 'node:net';
import { sha256 } from '../../../sdk/crypto.js';
import { errors } from '../errors.js';
/** Failures live in storage: a lock holds on every instance and over a restart. */
export class Lockout {
    #failures;
    #policy;
    #turnstile;
    #clock;
    /** Lockouts of different names do not count each other's failures. */
    constructor(storage, name, policy, turnstile, clock) {
        this.#failures = storage.collection({
            name: `${name}_failures`,
            indexes: [{ keys: { expiresAt: 1 }, expireAfterSeconds: 0 }],
        });
        this.#policy = policy;
        this.#turnstile = turnstile;
        this.#clock = clock;
    }
    /**
     * Runs one attempt to log in. `check` returns the refusal of a wrong guess, which is counted and thrown;
     * what it throws is not counted. Throws `too_many_attempts` without a check while the lock lasts.
     */
    async attempt(login, address, check) {
        await this.refuseLocked(login, address);
        await this.#turnstile.pass(async () => {
            // Again, as guesses sent in parallel have failed while this one waited.
            await this.refuseLocked(login, address);
            const refusal = await check();
            if (refusal === undefined)
                return this.#forgive(login);
            await this.#recordFailure(login, address);
            throw refusal;
        });
    }
    async refuseLocked(login, address) {
        const found = await this.#failures.find({ _id: { $in: idsOf(login, address) } }).toArray();
        const end = Math.max(...found.map((each) => lockEnd(each.failures, this.#policy) ?? 0), 0);
        const seconds = Math.ceil((end - this.#clock.now()) / 1000);
        if (seconds <= 0)
            return;
        throw errors.too_many_attempts({
            values: { minutes: Math.ceil(seconds / 60) },
            headers: { 'retry-after': String(seconds) },
        });
    }
    async #recordFailure(login, address) {
        const now = this.#clock.now();
        const update = {
            $push: { failures: { $each: [new Date(now)], $slice: -this.#policy.failures } },
            $set: { expiresAt: new Date(now + 2 * windowOf(this.#policy)) },
        };
        await Promise.all(idsOf(login, address).map((_id) => this.#failures.updateOne({ _id }, update, { upsert: true })));
    }
    /**
     * Forgets the failures of a login that got in. Those of the address stay: someone who knows one password
     * could otherwise guess others without end.
     */
    async #forgive(login) {
        await this.#failures.deleteOne({ _id: loginId(login) });
    }
}
function idsOf(login, address) {
    return [loginId(login), `address ${addressGroup(address)}`];
}
/** Hashed: what was typed as a login may be a password, and may be of any length. */
function loginId(login) {
    return `login ${sha256(login)}`;
}
/** When the lock that these failures make ends; undefined when they make none. */
export function lockEnd(failures, policy) {
    const counted = failures.slice(-policy.failures);
    const first = counted.at(0)?.getTime();
    const last = counted.at(-1)?.getTime();
    if (first === undefined || last === undefined || counted.length < policy.failures)
        return undefined;
    return last - first < windowOf(policy) ? last + windowOf(policy) : undefined;
}
/** In milliseconds. */
function windowOf({ minutes }) {
    return minutes * 60_000;
}
/** One subscriber owns a whole /64 of IPv6, so it counts as one address; IPv4 written as IPv6 is IPv4. */
export function addressGroup(address) {
    const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
    if (mapped?.[1] !== undefined)
        return mapped[1];
    if (!isIPv6(address))
        return address;
    const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
    const left = head === '' ? [] : head.split(':');
    const right = tail === undefined || tail === '' ? [] : tail.split(':');
    const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
    const groups = [...left, ...zeros, ...right]
        .slice(0, 4)
        .map((group) => Number.parseInt(group, 16).toString(16));
    return `${groups.join(':')}::/64`;
}
//# sourceMappingURL=lockout.js.map