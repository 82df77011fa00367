import { SCOPED, StorageError, } from '../../../sdk/index.js';
import { MongoCollection } from './collection.js';
import { storageError } from './errors.js';
import { OpenCollection } from './open-collection.js';
import { runTransaction } from './transaction.js';
/** The store as a whole. A plugin gets `[SCOPED](id)`: its collections are called `id.name`. */
export class MongoStorage {
    directory = undefined;
    #options;
    #namespace;
    /** By full name, shared by all namespaces. */
    #open;
    constructor(options, namespace = 'plugboard', open = new Map()) {
        this.#options = options;
        this.#namespace = namespace;
        this.#open = open;
    }
    [SCOPED](pluginId) {
        return new MongoStorage(this.#options, pluginId, this.#open);
    }
    collection(spec) {
        if (!/^[a-z0-9_]+$/.test(spec.name))
            throw new StorageError('invalid', `collection "${spec.name}": a name has lower case letters, digits and _`);
        const fullName = `${this.#namespace}.${spec.name}`;
        let open = this.#open.get(fullName);
        if (open === undefined) {
            const { connection, clock, log } = this.#options;
            open = new OpenCollection({ fullName, connection, clock, log });
            this.#open.set(fullName, open);
        }
        open.declare(spec);
        return new MongoCollection(open);
    }
    async transaction(work) {
        const { connection, transactionDeadline } = this.#options;
        if (connection.deployment === 'standalone')
            throw new StorageError('unsupported', 'transactions need a replica set; a single mongod started with --replSet is one');
        // Indexes cannot be made inside.
        await this.ready();
        return runTransaction(connection.client, work, transactionDeadline);
    }
    async ping() {
        try {
            await this.#db.command({ ping: 1 });
        }
        catch (error) {
            throw storageError(error);
        }
    }
    /** Makes every declared collection and index that is not there yet. */
    async ready() {
        // A catalog may declare hundreds: all at once, most would wait for a connection until that times out.
        const waiting = this.#open.values();
        const inTurn = async () => {
            for (const open of waiting)
                await open.ready();
        };
        await Promise.all(Array.from({ length: 4 }, inTurn));
    }
    get #db() {
        return this.#options.connection.db;
    }
}
//# sourceMappingURL=storage.js.map