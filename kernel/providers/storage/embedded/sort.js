/** Sorting in memory, by the keys that an index would have. */
import { StorageError } from '../../../sdk/storage.js';
import { indexKeys } from './index-keys.js';
import { compare } from './order.js';
import { parsePath } from './path.js';
export function sortKeys(sort) {
    return Object.entries(sort ?? {}).map(([path, direction]) => {
        if (direction !== 1 && direction !== -1)
            throw new StorageError('invalid', `sort: "${path}" takes 1 or -1`);
        return { path, direction };
    });
}
/** Keeps the first `limit` documents of the order; all of them without a limit. */
export class Sorter {
    #paths;
    #directions;
    #limit;
    #rows = [];
    constructor(keys, limit) {
        this.#paths = keys.map(({ path }) => parsePath(path));
        this.#directions = keys.map(({ direction }) => direction);
        this.#limit = limit;
    }
    add(document) {
        const { keys } = indexKeys(document, this.#paths);
        const key = keys.reduce((first, other) => (this.#compare(other, first) < 0 ? other : first));
        this.#rows.push({ key, document });
        if (this.#rows.length >= 2 * this.#limit + 1000)
            this.#cut();
    }
    sorted() {
        this.#cut();
        return this.#rows.map(({ document }) => document);
    }
    #cut() {
        this.#rows.sort((a, b) => this.#compare(a.key, b.key));
        if (this.#rows.length > this.#limit)
            this.#rows.length = this.#limit;
    }
    #compare(a, b) {
        for (let at = 0; at < this.#directions.length; at++) {
            const order = compare(a[at], b[at]);
            if (order !== 0)
                return order * this.#directions[at];
        }
        return 0;
    }
}
//# sourceMappingURL=sort.js.map