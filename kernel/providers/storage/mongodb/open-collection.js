import { storageError } from './errors.js';
import { Expiry } from './expiry.js';
import { ensureIndexes } from './indexes.js';
import { LocalChanges } from './local-changes.js';
export class OpenCollection {
    fullName;
    raw;
    log;
    /** On a standalone server, the feed of this process's writes. */
    localChanges;
    #clock;
    #indexes = [];
    #expiry;
    #ready;
    constructor(options) {
        this.fullName = options.fullName;
        this.raw = options.connection.db.collection(options.fullName);
        this.log = options.log;
        this.localChanges = options.connection.deployment === 'standalone' ? new LocalChanges() : undefined;
        this.#clock = options.clock;
        this.#expiry = new Expiry([], options.clock);
    }
    get name() {
        return this.fullName.slice(this.fullName.lastIndexOf('.') + 1);
    }
    get expiry() {
        return this.#expiry;
    }
    /** A collection may be asked for twice; its indexes add up. */
    declare({ indexes = [] }) {
        const known = new Set(this.#indexes.map((index) => JSON.stringify(index)));
        const added = indexes.filter((index) => !known.has(JSON.stringify(index)));
        if (added.length === 0)
            return;
        this.#indexes.push(...added);
        this.#expiry = new Expiry(this.#indexes, this.#clock);
        this.#ready = undefined;
    }
    /** The indexes are made once; after a failure the next call tries again. */
    ready() {
        this.#ready ??= ensureIndexes(this.raw, this.#indexes, this.log).catch((error) => {
            this.#ready = undefined;
            // A plain error is ours and says what to do.
            throw error instanceof Error && error.constructor === Error
                ? error
                : storageError(error, this.fullName);
        });
        return this.#ready;
    }
    /** Removes what has expired; whether that made room for anything. */
    async sweep() {
        if (!this.#expiry.applies)
            return false;
        const { deletedCount } = await this.raw.deleteMany(this.#expiry.expired());
        return deletedCount > 0;
    }
}
//# sourceMappingURL=open-collection.js.map