import { StorageError, } from '../../../sdk/storage.js';
import { SCOPED } from '../../../sdk/token.js';
import { backup, restore } from './backup.js';
import { Catalog } from './catalog.js';
import { Commits, fromToken, LogFeed } from './change-feed.js';
import { ChangeLog } from './change-log.js';
import { check } from './check.js';
import { EmbeddedCollection } from './collection.js';
import { buildIndex } from './documents.js';
import { Environment } from './environment.js';
import { Sweeper } from './sweeper.js';
import { Transactions } from './transaction.js';
import { WriteQueue } from './write-queue.js';
export class EmbeddedStore {
    environment;
    catalog = new Catalog();
    #clock;
    #log;
    #changeLog;
    #commits = new Commits();
    #queue;
    #transactions;
    #sweeper;
    #warned = new Set();
    #turn = -1;
    constructor({ directory, sync, history, clock, log }) {
        this.environment = new Environment(directory, { sync });
        this.#clock = clock;
        this.#log = log;
        this.#changeLog = new ChangeLog(history);
        this.#queue = new WriteQueue(this.environment, this.catalog, this.#changeLog, clock, () => this.#commits.announce());
        const now = () => clock.now();
        this.#transactions = new Transactions(this.environment, this.catalog, this.#queue, now);
        this.#sweeper = new Sweeper(this.environment, this.catalog, this.#queue, now);
    }
    [SCOPED](pluginId) {
        return new ScopedStorage(this, pluginId);
    }
    collection(namespace, spec) {
        checkSpec(spec);
        const fullName = `${namespace}/${spec.name}`;
        this.catalog.declare(this.environment, fullName, spec, buildIndex);
        return new EmbeddedCollection(spec.name, fullName, this, this);
    }
    transaction(work) {
        return this.#transactions.run(work);
    }
    sweep(signal) {
        return this.#sweeper.sweep(signal);
    }
    check() {
        return check(this.environment, this.catalog);
    }
    backup(directory) {
        return backup(this.environment, directory);
    }
    restore(directory) {
        return restore(this.environment, this.catalog, this.#changeLog, directory);
    }
    /** Waits for the writes that were submitted, then lets go of the files. */
    async close() {
        await this.#queue.drain();
        await this.environment.close();
    }
    get now() {
        return this.#clock.now();
    }
    definition(name) {
        return this.catalog.collection(name);
    }
    reader() {
        const reader = this.environment.latest;
        if (this.#turn !== this.environment.turn) {
            this.catalog.refresh(reader);
            this.#turn = this.environment.turn;
        }
        return reader;
    }
    snapshot() {
        this.reader();
        return this.environment.snapshot();
    }
    write(job) {
        return this.#queue.submit(job);
    }
    scanned({ plan, collection }, filter, count) {
        if (count < 10_000 || plan.access !== 'documents' || !plan.all || Object.keys(filter).length === 0)
            return;
        const paths = Object.keys(filter).join(', ');
        const key = `${collection.name} ${paths}`;
        if (this.#warned.has(key))
            return;
        this.#warned.add(key);
        this.#log.warn({ collection: collection.name, filter: paths }, `a query on "${collection.name}" by ${paths} has looked at more than 10,000 documents: it needs an index`);
    }
    async changes(name, { after, signal }) {
        const from = after === undefined ? undefined : fromToken(after);
        this.reader();
        if (!this.catalog.collection(name).logged)
            await this.#queue.submit((batch) => batch.learn(this.catalog.collection(name), { kind: 'logged' }));
        const reader = this.reader();
        const position = from ?? this.#changeLog.newest(reader);
        this.#changeLog.after(reader, position, 1);
        const source = { environment: this.environment, log: this.#changeLog, commits: this.#commits };
        return new LogFeed(source, this.catalog.collection(name).number, position, signal);
    }
}
class ScopedStorage {
    #store;
    #namespace;
    constructor(store, namespace) {
        this.#store = store;
        this.#namespace = namespace;
    }
    get directory() {
        return this.#store.environment.directory;
    }
    collection(spec) {
        return this.#store.collection(this.#namespace, spec);
    }
    transaction(work) {
        return this.#store.transaction(work);
    }
    async ping() {
        this.#store.reader();
    }
}
function checkSpec({ name, indexes = [] }) {
    if (!/^[a-z0-9_]+$/.test(name))
        throw new StorageError('invalid', `"${name}" is no collection name: lower case letters, digits and _`);
    for (const { keys, expireAfterSeconds } of indexes) {
        const paths = Object.keys(keys);
        if (paths.length === 0 || paths.length > 30)
            throw new StorageError('invalid', `an index of "${name}" needs 1 to 30 paths`);
        if (expireAfterSeconds !== undefined && paths.length !== 1)
            throw new StorageError('invalid', `the expiring index ${paths.join(',')} of "${name}" takes one path`);
    }
}
//# sourceMappingURL=storage.js.map