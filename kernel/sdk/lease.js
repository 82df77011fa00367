import { newId } from './crypto.js';
import { isStorageError } from './storage.js';
/**
 * One holder's view of the lease `name`. A holder that dies loses the lease `duration` ms after its last
 * renewal; a holder that lives renews well before, e.g. every third of it.
 */
export class Lease {
    #holder = newId();
    #collection;
    #name;
    #clock;
    #duration;
    /** `duration` in milliseconds. */
    constructor(collection, name, clock, duration) {
        this.#collection = collection;
        this.#name = name;
        this.#clock = clock;
        this.#duration = duration;
    }
    /** Takes or renews the lease. False while another holder has it. */
    async acquire() {
        const now = this.#clock.now();
        const mine = { holder: this.#holder, until: new Date(now + this.#duration) };
        try {
            const result = await this.#collection.updateOne({ _id: this.#name, $or: [{ holder: this.#holder }, { until: { $lte: new Date(now) } }] }, { $set: mine }, { upsert: true });
            return result.matched === 1 || result.upsertedId !== null;
        }
        catch (error) {
            // The upsert met the document of a living holder.
            if (isStorageError(error, 'duplicate_key'))
                return false;
            throw error;
        }
    }
    /** Gives the lease up; nothing happens when another holder has it. */
    async release() {
        await this.#collection.deleteOne({ _id: this.#name, holder: this.#holder });
    }
}
//# sourceMappingURL=lease.js.map