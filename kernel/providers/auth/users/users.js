import { hashPassword, sha256 } from '../../../sdk/crypto.js';
import { isStorageError } from '../../../sdk/storage.js';
import { errors } from '../errors.js';
import { matchingStep, newTotpSecret, totpUri } from './totp.js';
const LONGEST_LOGIN = 39;
/** What a login may look like. */
export const LOGIN_PATTERN = `^[A-Za-z0-9][A-Za-z0-9._-]{0,${LONGEST_LOGIN - 1}}$`;
export class Users {
    #documents;
    #counters;
    #secrets;
    #clock;
    constructor(storage, secrets, clock) {
        this.#documents = storage.collection({
            name: 'users',
            indexes: [
                { keys: { loginKey: 1 }, unique: true },
                { keys: { id: 1 }, unique: true },
            ],
        });
        this.#counters = storage.collection({ name: 'counters' });
        this.#secrets = secrets;
        this.#clock = clock;
    }
    async create({ login, type = 'User', password, ...profile }) {
        if (type === 'Organization' && password !== undefined)
            throw errors.organization_login();
        const loginKey = login.toLowerCase();
        // Before a number is drawn, so that the common mistake leaves no gap; the index decides between two at once.
        if ((await this.find(login)) !== null)
            throw errors.login_taken({ values: { login } });
        const id = await this.#nextId();
        const document = {
            _id: String(id),
            id,
            login,
            loginKey,
            type,
            siteAdmin: profile.siteAdmin ?? false,
            imageId: profile.imageId ?? sha256(loginKey).slice(0, 32),
            name: profile.name ?? null,
            email: profile.email ?? null,
            password: password === undefined ? null : await hashPassword(password),
            otp: null,
            createdAt: new Date(this.#clock.now()),
        };
        try {
            await this.#documents.insertOne(document);
        }
        catch (error) {
            if (isStorageError(error, 'duplicate_key'))
                throw errors.login_taken({ values: { login }, cause: error });
            throw error;
        }
        return managed(document);
    }
    /** By login in alphabetical order. */
    async list({ limit, offset, }) {
        const [documents, total] = await Promise.all([
            this.#documents.find({}, { sort: { loginKey: 1 }, skip: offset, limit }).toArray(),
            this.#documents.countDocuments({}),
        ]);
        return { users: documents.map(managed), total };
    }
    async read(id) {
        const document = await this.#documents.findOne({ _id: String(id) });
        if (document === null)
            throw errors.user_not_found({ values: { id } });
        return managed(document);
    }
    async change(id, { password, ...profile }) {
        const before = await this.read(id);
        if (password === undefined)
            return this.#set(id, profile);
        if (before.type === 'Organization')
            throw errors.organization_login();
        return this.#set(id, { ...profile, password: await hashPassword(password) });
    }
    async delete(id) {
        const deleted = await this.#documents.deleteOne({ _id: String(id) });
        if (deleted === 0)
            throw errors.user_not_found({ values: { id } });
    }
    /** Turns two-factor authentication on, with a new secret if it is on already. */
    async enrol(id) {
        const { login, type } = await this.read(id);
        if (type === 'Organization')
            throw errors.organization_login();
        const secret = newTotpSecret();
        await this.#set(id, { otp: { secret: this.#secrets.seal(secret, otpContext(id)), lastStep: 0 } });
        return { secret, uri: totpUri(secret, login) };
    }
    async disableOtp(id) {
        return this.#set(id, { otp: null });
    }
    /** For guards: with the password's hash. */
    async find(login) {
        return login.length > LONGEST_LOGIN ? null : this.#documents.findOne({ loginKey: login.toLowerCase() });
    }
    /** Each code is accepted once (RFC 6238 5.2), also when it is sent twice at the same time. */
    async acceptOtp(user, code) {
        if (user.otp === null)
            return true;
        const secret = this.#secrets.open(user.otp.secret, otpContext(user.id));
        const step = matchingStep(secret, code, this.#clock.now());
        if (step === undefined)
            return false;
        const { matched } = await this.#documents.updateOne({ _id: user._id, 'otp.secret': user.otp.secret, 'otp.lastStep': { $lt: step } }, { $set: { 'otp.lastStep': step } });
        return matched === 1;
    }
    async byLogin(login) {
        const document = await this.find(login);
        return document === null ? null : profileOf(document);
    }
    async byId(id) {
        const document = await this.#documents.findOne({ _id: String(id) });
        return document === null ? null : profileOf(document);
    }
    async #set(id, fields) {
        const isEmpty = Object.keys(fields).length === 0;
        const document = isEmpty
            ? await this.#documents.findOne({ _id: String(id) })
            : await this.#documents.findOneAndUpdate({ _id: String(id) }, { $set: fields });
        if (document === null)
            throw errors.user_not_found({ values: { id } });
        return managed(document);
    }
    /** Counts up and never back: the number of a deleted user is not given to another one. */
    async #nextId() {
        const counter = await this.#counters.findOneAndUpdate({ _id: 'users' }, { $inc: { value: 1 } }, { upsert: true });
        if (counter === null)
            throw new Error('an upsert answered no document');
        return counter.value;
    }
}
export function profileOf(document) {
    const { id, login, type, siteAdmin, imageId, name, email } = document;
    return { id, login, type, siteAdmin, imageId, name, email };
}
function managed(document) {
    return {
        ...profileOf(document),
        hasPassword: document.password !== null,
        twoFactor: document.otp !== null,
        createdAt: document.createdAt,
    };
}
function otpContext(id) {
    return `auth.users/${id}/otp`;
}
//# sourceMappingURL=users.js.map