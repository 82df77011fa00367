/** Applications at rest: a client id of 20 characters, and the SHA-256 of a secret of 40. */
import { randomBytes } from 'node:crypto';
import { constantTimeEqual, newId, sha256 } from '../../../sdk/crypto.js';
import { errors } from '../errors.js';
export class Applications {
    #documents;
    #clock;
    constructor(storage, clock) {
        this.#documents = storage.collection({
            name: 'apps',
            indexes: [{ keys: { clientId: 1 }, unique: true }, { keys: { name: 1, _id: 1 } }],
        });
        this.#clock = clock;
    }
    async create({ name, url }) {
        const clientSecret = newClientSecret();
        const document = {
            _id: newId(),
            clientId: randomBytes(10).toString('hex'),
            secretHash: sha256(clientSecret),
            name,
            url,
            createdAt: new Date(this.#clock.now()),
        };
        await this.#documents.insertOne(document);
        return { ...shown(document), clientSecret };
    }
    /** By name. */
    async list() {
        const documents = await this.#documents.find({}, { sort: { name: 1, _id: 1 } }).toArray();
        return documents.map(shown);
    }
    async read(id) {
        return shown(found(await this.#documents.findOne({ _id: id }), id));
    }
    async change(id, changes) {
        if (Object.keys(changes).length === 0)
            return this.read(id);
        return shown(found(await this.#documents.findOneAndUpdate({ _id: id }, { $set: changes }), id));
    }
    /** The old secret stops working at once. */
    async renewSecret(id) {
        const clientSecret = newClientSecret();
        const update = { $set: { secretHash: sha256(clientSecret) } };
        const document = found(await this.#documents.findOneAndUpdate({ _id: id }, update), id);
        return { ...shown(document), clientSecret };
    }
    async delete(id) {
        const deleted = await this.#documents.deleteOne({ _id: id });
        if (deleted === 0)
            throw errors.app_not_found({ values: { id } });
    }
    async byClientId(clientId) {
        const document = await this.#documents.findOne({ clientId });
        return document === null ? null : application(document);
    }
    /** In the same time for an unknown client id and for a wrong secret. */
    async verify(clientId, clientSecret) {
        const document = await this.#documents.findOne({ clientId });
        const isRight = constantTimeEqual(sha256(clientSecret), document?.secretHash ?? sha256(''));
        return document !== null && isRight ? application(document) : null;
    }
}
function newClientSecret() {
    return randomBytes(20).toString('hex');
}
function found(document, id) {
    if (document === null)
        throw errors.app_not_found({ values: { id } });
    return document;
}
function application({ _id, clientId, name, url }) {
    return { id: _id, clientId, name, url };
}
function shown(document) {
    return { ...application(document), createdAt: document.createdAt };
}
//# sourceMappingURL=applications.js.map