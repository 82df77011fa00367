/** The port's collection over an access: the store itself or a transaction. */
import { setImmediate as turn } from 'node:timers/promises';
import { StorageError, } from '../../../sdk/storage.js';
import { FindCursor } from './cursor.js';
import { compare } from './order.js';
import { arrayIndex, parsePath } from './path.js';
import { explain, first, prepare, run } from './query.js';
import { isPlainObject } from './bson.js';
import { openTransaction } from './transaction.js';
import { compileUpdate } from './update.js';
import * as writes from './writes.js';
export class EmbeddedCollection {
    name;
    #fullName;
    #access;
    #host;
    constructor(name, fullName, access, host) {
        this.name = name;
        this.#fullName = fullName;
        this.#access = access;
        this.#host = host;
    }
    with(tx) {
        return new EmbeddedCollection(this.name, this.#fullName, openTransaction(tx), this.#host);
    }
    async findOne(filter, options = {}) {
        const reader = this.#access.reader();
        const query = this.#prepare(filter, { ...options, limit: 1 });
        return asDocument(first(reader, query, (count) => this.#host.scanned(query, filter, count)));
    }
    find(filter, options = {}) {
        const query = () => {
            this.#access.reader();
            return this.#prepare(filter, options);
        };
        return new FindCursor(this.#access, query, (running, count) => this.#host.scanned(running, filter, count));
    }
    async countDocuments(filter) {
        let count = 0;
        for await (const _ of this.#all(filter))
            count++;
        return count;
    }
    async distinct(path, filter = {}) {
        const parts = parsePath(path);
        const values = [];
        const seen = new Set();
        for await (const document of this.#all(filter))
            for (const value of valuesAt(document, parts, 0)) {
                if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
                    if (seen.has(value))
                        continue;
                    seen.add(value);
                }
                values.push(value);
            }
        values.sort(compare);
        return values.filter((value, at) => at === 0 || compare(values[at - 1], value) !== 0);
    }
    async explain(filter, options = {}) {
        this.#access.reader();
        return explain(this.#prepare(filter, options));
    }
    insertOne(document) {
        return this.#write(() => {
            const values = writes.frozen(document);
            return (batch, collection) => writes.insertOne(batch, collection, values);
        });
    }
    insertMany(documents) {
        return this.#write(() => {
            const all = documents.map(writes.frozen);
            return (batch, collection) => {
                for (const values of all)
                    writes.insertOne(batch, collection, values);
            };
        });
    }
    updateOne(filter, update, options = {}) {
        return this.#write(() => {
            const updater = compileUpdate(update);
            if (options.upsert === true)
                writes.checkUpsertId(filter, update);
            return (batch, collection) => writes.updateOne(batch, collection, filter, updater, options);
        });
    }
    updateMany(filter, update) {
        return this.#write(() => {
            const updater = compileUpdate(update);
            return (batch, collection) => writes.updateMany(batch, collection, filter, updater);
        });
    }
    replaceOne(filter, replacement, options = {}) {
        return this.#write(() => {
            const values = writes.frozen(replacement);
            return (batch, collection) => writes.replaceOne(batch, collection, filter, values, options);
        });
    }
    findOneAndUpdate(filter, update, options = {}) {
        return this.#write(() => {
            const updater = compileUpdate(update);
            return (batch, collection) => asDocument(writes.findOneAndUpdate(batch, collection, filter, updater, options));
        });
    }
    findOneAndDelete(filter, options = {}) {
        return this.#write(() => (batch, collection) => asDocument(writes.findOneAndDelete(batch, collection, filter, options.sort)));
    }
    deleteOne(filter) {
        return this.#write(() => (batch, collection) => writes.deleteOne(batch, collection, filter));
    }
    deleteMany(filter) {
        return this.#write(() => (batch, collection) => writes.deleteMany(batch, collection, filter));
    }
    async bulkWrite(operations) {
        const { result, refusal } = await this.#write(() => {
            const ready = operations.map(writes.readyOperation);
            return (batch, collection) => inOrder(batch, collection, ready);
        });
        if (refusal !== undefined)
            throw refusal.error;
        return result;
    }
    changes(options = {}) {
        return this.#host.changes(this.#fullName, options);
    }
    #prepare(filter, options) {
        return prepare(this.#access.definition(this.#fullName), filter, options, this.#access.now);
    }
    /** `ready` checks and copies what the caller gave before anybody else has a turn. */
    async #write(ready) {
        const job = ready();
        return this.#access.write((batch) => job(batch, this.#access.definition(this.#fullName)));
    }
    async *#all(filter) {
        const snapshot = this.#access.snapshot();
        try {
            const query = this.#prepare(filter, {});
            for (const document of run(snapshot, query, (count) => this.#host.scanned(query, filter, count))) {
                if (document === undefined)
                    await turn();
                else
                    yield document;
            }
        }
        finally {
            snapshot.release();
        }
    }
}
function inOrder(batch, collection, operations) {
    const result = { inserted: 0, matched: 0, modified: 0, deleted: 0, upserted: 0 };
    for (const operation of operations) {
        try {
            const part = batch.attempt((inner) => operation(inner, collection));
            for (const key of Object.keys(part))
                result[key] += part[key] ?? 0;
        }
        catch (error) {
            if (!(error instanceof StorageError))
                throw error;
            return { result, refusal: { error } };
        }
    }
    return { result, refusal: undefined };
}
/** Every value at a path, the items of an array one by one. */
function* valuesAt(value, path, at) {
    if (at === path.length) {
        if (Array.isArray(value))
            yield* value;
        else if (value !== undefined)
            yield value;
    }
    else if (Array.isArray(value)) {
        const index = arrayIndex(path[at]);
        if (index !== undefined && index < value.length)
            yield* valuesAt(value[index], path, at + 1);
        for (const item of value)
            if (isPlainObject(item))
                yield* valuesAt(item, path, at);
    }
    else if (isPlainObject(value) && Object.hasOwn(value, path[at])) {
        yield* valuesAt(value[path[at]], path, at + 1);
    }
}
/** Stored values are what the plugin stored: the collection's type is its word. */
function asDocument(values) {
    return (values ?? null);
}
//# sourceMappingURL=collection.js.map