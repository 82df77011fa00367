import { newId, sha256 } from '../../../sdk/crypto.js';
import { isStorageError } from '../../../sdk/storage.js';
import { errors } from '../errors.js';
import { keyPreview, newApiKey } from './form.js';
export class ApiKeys {
    documents;
    uses;
    #clock;
    constructor(storage, clock) {
        this.documents = storage.collection({
            name: 'keys',
            indexes: [{ keys: { hash: 1 }, unique: true }, { keys: { createdAt: -1, _id: -1 } }],
        });
        this.uses = storage.collection({ name: 'key_uses' });
        this.#clock = clock;
    }
    /** The key itself is in the answer and nowhere else. */
    async create(wanted) {
        const { expiresAt = null } = wanted;
        if (expiresAt !== null && expiresAt.getTime() <= this.#clock.now())
            throw errors.expiry_passed({ param: 'expiresAt' });
        const key = newApiKey();
        const document = this.#document(newId(), key, wanted);
        await this.documents.insertOne(document);
        return { ...shown(document, null), key };
    }
    /**
     * Stores a key under an id that exists once in a deployment. False when another instance, or an earlier
     * start, has stored a key with this id or with this text.
     */
    async createOnce(id, key, wanted) {
        try {
            await this.documents.insertOne(this.#document(id, key, wanted));
            return true;
        }
        catch (error) {
            if (isStorageError(error, 'duplicate_key'))
                return false;
            throw error;
        }
    }
    /** Newest first. */
    async list() {
        const documents = await this.documents.find({}, { sort: { createdAt: -1, _id: -1 } }).toArray();
        const uses = await this.uses.find({ _id: { $in: documents.map(({ _id }) => _id) } }).toArray();
        const lastUsedAt = new Map(uses.map((use) => [use._id, use.lastUsedAt]));
        return documents.map((document) => shown(document, lastUsedAt.get(document._id) ?? null));
    }
    async read(id) {
        const [document, use] = await Promise.all([
            this.documents.findOne({ _id: id }),
            this.uses.findOne({ _id: id }),
        ]);
        if (document === null)
            throw errors.key_not_found({ values: { id } });
        return shown(document, use?.lastUsedAt ?? null);
    }
    /** A revoked key stays in the list, so that what it owns can still be named. Revoking again changes nothing. */
    async revoke(id) {
        await this.documents.updateOne({ _id: id, revokedAt: null }, { $set: { revokedAt: new Date(this.#clock.now()) } });
        return this.read(id);
    }
    #document(id, key, { name, scopes, expiresAt = null }) {
        return {
            _id: id,
            name,
            hash: sha256(key),
            preview: keyPreview(key),
            scopes: [...new Set(scopes)],
            createdAt: new Date(this.#clock.now()),
            expiresAt,
            revokedAt: null,
        };
    }
}
function shown({ _id, hash: _, ...document }, lastUsedAt) {
    return { id: _id, ...document, lastUsedAt };
}
//# sourceMappingURL=api-keys.js.map