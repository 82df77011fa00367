/** The administrator's password and whether management asks for a login. */
import { hashPassword, verifyPassword } from '../../../sdk/crypto.js';
import { isStorageError } from '../../../sdk/storage.js';
const ADMIN = { _id: 'admin' };
const LOGIN = { _id: 'login' };
export class AdminSettings {
    #admins;
    #login;
    #requireLogin;
    /** `requireLogin` holds until the setting is changed. */
    constructor(storage, requireLogin) {
        this.#admins = storage.collection({ name: 'admins' });
        this.#login = storage.collection({ name: 'settings' });
        this.#requireLogin = requireLogin;
    }
    async requiresLogin() {
        return (await this.#login.findOne(LOGIN))?.required ?? this.#requireLogin;
    }
    async setRequiresLogin(required) {
        await this.#login.updateOne(LOGIN, { $set: { required } }, { upsert: true });
    }
    /** The password's hash; undefined before the first start has made one. */
    async passwordHash() {
        return (await this.#admins.findOne(ADMIN))?.password;
    }
    async setPassword(password) {
        await this.#admins.updateOne(ADMIN, { $set: { password: await hashPassword(password) } });
    }
    async hasPassword() {
        return (await this.passwordHash()) !== undefined;
    }
    /** False when there is a password already, perhaps another instance's of a moment ago. */
    async setFirstPassword(password) {
        return this.#insert({ ...ADMIN, password: await hashPassword(password), configured: null });
    }
    /**
     * Takes the config's password over when it is new or was changed there since the last time, so that a
     * password changed over HTTP survives a restart, and a lost one can be replaced. True when it was taken over
     * from another one.
     */
    async adoptPassword(configured) {
        const stored = await this.#admins.findOne(ADMIN);
        if (stored !== null &&
            stored.configured !== null &&
            (await verifyPassword(configured, stored.configured))) {
            return false;
        }
        const hash = await hashPassword(configured);
        const fields = { password: hash, configured: hash };
        if (stored === null && (await this.#insert({ ...ADMIN, ...fields })))
            return false;
        await this.#admins.updateOne(ADMIN, { $set: fields });
        return stored !== null;
    }
    async #insert(document) {
        try {
            await this.#admins.insertOne(document);
            return true;
        }
        catch (error) {
            if (isStorageError(error, 'duplicate_key'))
                return false;
            throw error;
        }
    }
}
//# sourceMappingURL=settings.js.map