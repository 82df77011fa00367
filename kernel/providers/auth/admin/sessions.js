import { randomToken, sha256 } from '../../../sdk/crypto.js';
/** A use extends a session that has lost this much of its lifetime, in milliseconds: not every request writes. */
const EXTEND_AFTER = 60_000;
/**
 * Nothing is cached: management calls are few, and so a session that has ended has ended on every instance.
 */
export class Sessions {
    #documents;
    #clock;
    /** Milliseconds from the last use. */
    lifetime;
    constructor(storage, lifetime, clock) {
        this.#documents = storage.collection({
            name: 'sessions',
            indexes: [{ keys: { expiresAt: 1 }, expireAfterSeconds: 0 }],
        });
        this.lifetime = lifetime;
        this.#clock = clock;
    }
    /** The token of a new session. */
    async begin() {
        const token = randomToken();
        await this.#documents.insertOne({
            _id: sha256(token),
            createdAt: new Date(this.#clock.now()),
            expiresAt: this.#expiry(),
        });
        return token;
    }
    /** The living session of a token, its lifetime extended by this use. */
    async use(token) {
        const id = sha256(token);
        const now = new Date(this.#clock.now());
        const session = await this.#documents.findOne({ _id: id });
        if (session === null || session.expiresAt <= now)
            return undefined;
        const expiresAt = this.#expiry();
        if (expiresAt.getTime() - session.expiresAt.getTime() < EXTEND_AFTER) {
            return { id, expiresAt: session.expiresAt, extended: false };
        }
        // Matches only what still lives: a session that ended meanwhile does not come back.
        const { matched } = await this.#documents.updateOne({ _id: id, expiresAt: { $gt: now } }, { $set: { expiresAt } });
        return matched === 1 ? { id, expiresAt, extended: true } : undefined;
    }
    async end(token) {
        await this.#documents.deleteOne({ _id: sha256(token) });
    }
    /** Ends every session but the one with this id. */
    async endOthers(id) {
        await this.#documents.deleteMany(id === undefined ? {} : { _id: { $ne: id } });
    }
    #expiry() {
        return new Date(this.#clock.now() + this.lifetime);
    }
}
//# sourceMappingURL=sessions.js.map