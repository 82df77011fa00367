import { toFilter } from './filter.js';
export class Expiry {
    #rules;
    #clock;
    constructor(indexes, clock) {
        this.#rules = indexes.filter((index) => index.expireAfterSeconds !== undefined);
        this.#clock = clock;
    }
    /** Whether documents of the collection expire at all. */
    get applies() {
        return this.#rules.length > 0;
    }
    /** `filter`, and not expired. */
    alive(filter) {
        return this.applies ? { $and: [filter, { $nor: this.#expired() }] } : filter;
    }
    /** Matches what has expired. */
    expired() {
        return { $or: this.#expired() };
    }
    #expired() {
        const now = this.#clock.now();
        return this.#rules.map(({ keys, expireAfterSeconds = 0, partial }) => {
            const [path = ''] = Object.keys(keys);
            const due = { [path]: { $lte: new Date(now - expireAfterSeconds * 1000) } };
            return partial === undefined ? due : { $and: [due, toFilter(partial)] };
        });
    }
}
//# sourceMappingURL=expiry.js.map