/** Milliseconds. */
const INTERVAL = 60_000;
const CAPACITY = 10_000;
export class KeyUse {
    #uses;
    #log;
    /** When the use of a key was last written, by id. */
    #written = new Map();
    #writes = new Set();
    constructor(uses, log) {
        this.#uses = uses;
        this.#log = log;
    }
    /** Returns at once. */
    record(id, now) {
        if (now - (this.#written.get(id) ?? -Infinity) < INTERVAL)
            return;
        if (this.#written.size >= CAPACITY)
            this.#written.clear();
        this.#written.set(id, now);
        const write = this.#write(id, now).finally(() => this.#writes.delete(write));
        this.#writes.add(write);
    }
    /** Waits for the writes under way. */
    async close() {
        await Promise.all(this.#writes);
    }
    /** A lost write costs a minute of precision and must not cost the request. */
    async #write(id, now) {
        try {
            await this.#uses.updateOne({ _id: id }, { $max: { lastUsedAt: new Date(now) } }, { upsert: true });
        }
        catch (error) {
            this.#written.delete(id);
            this.#log.warn({ err: error, keyId: id }, 'could not write when the API key was last used');
        }
    }
}
//# sourceMappingURL=use.js.map