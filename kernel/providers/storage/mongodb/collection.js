import { isStorageError, } from '../../../sdk/index.js';
import { writeBulk } from './bulk.js';
import { openChangeFeed } from './change-feed.js';
import { inOrder } from './distinct.js';
import { storageError } from './errors.js';
import { queryPlan } from './explain.js';
import { toFilter } from './filter.js';
import { toFindOptions, toSort } from './find-options.js';
import { followed } from './followed.js';
import { attemptOf } from './transaction.js';
import { checkUpsertId, toUpdate } from './update.js';
import { checkDocument, fromDriver, valueFromDriver } from './values.js';
/** An upsert that lost a race finds the winner's document when it looks again; more than one loss in a row is rare. */
const ATTEMPTS = 4;
export class MongoCollection {
    #open;
    #attempt;
    constructor(open, attempt) {
        this.#open = open;
        this.#attempt = attempt;
    }
    get name() {
        return this.#open.name;
    }
    with(tx) {
        return new MongoCollection(this.#open, attemptOf(tx));
    }
    findOne(filter, options = {}) {
        return this.#run(async (session) => {
            const found = await this.#raw.findOne(this.#alive(filter), { ...toFindOptions(options), ...session });
            return fromDriver(found);
        });
    }
    find(filter, options = {}) {
        const toArray = () => this.#run(async (session) => {
            const found = await this.#raw
                .find(this.#alive(filter), { ...toFindOptions(options), ...session })
                .toArray();
            for (const document of found)
                fromDriver(document);
            return found;
        });
        // A transaction's calls go one after another: a cursor that stays open would hold up the others.
        const iterate = this.#attempt === undefined ? () => this.#iterate(filter, toFindOptions(options)) : undefined;
        return {
            toArray,
            async *[Symbol.asyncIterator]() {
                if (iterate === undefined)
                    yield* await toArray();
                else
                    yield* iterate();
            },
        };
    }
    countDocuments(filter) {
        return this.#run(async (session) => Number(await this.#raw.countDocuments(this.#alive(filter), session)));
    }
    distinct(path, filter = {}) {
        return this.#run(async (session) => {
            const values = await this.#raw.distinct(path, this.#alive(filter), session);
            return inOrder(values.map(valueFromDriver));
        });
    }
    explain(filter, options = {}) {
        return this.#run(async () => {
            const cursor = this.#raw.find(this.#alive(filter), toFindOptions(options));
            return queryPlan(await cursor.explain('queryPlanner'), options.sort !== undefined);
        });
    }
    insertOne(document) {
        return this.#write({ ids: [document._id] }, async (session) => {
            checkDocument(document);
            await this.#raw.insertOne(document, session);
        });
    }
    async insertMany(documents) {
        await this.bulkWrite(documents.map((insertOne) => ({ insertOne })));
    }
    updateOne(filter, update, { upsert = false } = {}) {
        return this.#write({ filter, upsert }, async (session) => {
            if (upsert)
                checkUpsertId(filter, update);
            const done = await this.#raw.updateOne(this.#alive(filter), toUpdate(update), { upsert, ...session });
            return updateResult(done);
        });
    }
    updateMany(filter, update) {
        return this.#write({ filter }, async (session) => updateResult(await this.#raw.updateMany(this.#alive(filter), toUpdate(update), session)));
    }
    replaceOne(filter, replacement, { upsert = false } = {}) {
        return this.#write({ filter, upsert, ids: [replacement._id] }, async (session) => {
            checkDocument(replacement);
            const stored = replacement;
            return updateResult(await this.#raw.replaceOne(this.#alive(filter), stored, { upsert, ...session }));
        });
    }
    findOneAndUpdate(filter, update, { upsert = false, sort, returning = 'after', projection } = {}) {
        return this.#write({ filter, upsert }, async (session) => {
            if (upsert)
                checkUpsertId(filter, update);
            const found = await this.#raw.findOneAndUpdate(this.#alive(filter), toUpdate(update), {
                upsert,
                returnDocument: returning,
                ...toFindOptions({ ...(sort && { sort }), ...(projection && { projection }) }),
                ...session,
            });
            return fromDriver(found);
        });
    }
    findOneAndDelete(filter, { sort } = {}) {
        return this.#write({ filter }, async (session) => {
            const options = sort === undefined ? session : { sort: toSort(sort), ...session };
            const found = await this.#raw.findOneAndDelete(this.#alive(filter), options);
            return fromDriver(found);
        });
    }
    deleteOne(filter) {
        return this.#write({ filter }, async (session) => {
            const { deletedCount } = await this.#raw.deleteOne(this.#alive(filter), session);
            return deletedCount;
        });
    }
    deleteMany(filter) {
        return this.#write({ filter }, async (session) => {
            const { deletedCount } = await this.#raw.deleteMany(this.#alive(filter), session);
            return deletedCount;
        });
    }
    async bulkWrite(operations) {
        const write = (session) => writeBulk(this.#open, operations, session);
        if (this.#attempt !== undefined)
            return this.#write({}, write);
        await this.#ready();
        return followed(this.#open, { operations }, () => write({}));
    }
    async changes(options = {}) {
        await this.#ready();
        const { localChanges, log, raw, fullName } = this.#open;
        if (localChanges !== undefined)
            return localChanges.open(options);
        try {
            return await openChangeFeed(raw, options, log);
        }
        catch (error) {
            throw storageError(error, fullName);
        }
    }
    get #raw() {
        return this.#open.raw;
    }
    #ready() {
        return this.#open.ready();
    }
    #alive(filter) {
        return this.#open.expiry.alive(toFilter(filter));
    }
    async #run(call) {
        if (this.#attempt !== undefined)
            return this.#attempt.run((session) => call({ session }), this.#open.fullName);
        await this.#ready();
        try {
            return await call({});
        }
        catch (error) {
            throw storageError(error, this.#open.fullName);
        }
    }
    /** A write, again when only an expired document or a lost race of two upserts stood in its way. */
    async #write(target, call) {
        if (this.#attempt !== undefined) {
            if (this.#open.expiry.applies)
                this.#attempt.makeRoom = () => this.#open.sweep();
            return this.#run(call);
        }
        for (let attempt = 1;; attempt++) {
            try {
                return await followed(this.#open, target, () => this.#run(call));
            }
            catch (error) {
                if (!isStorageError(error, 'duplicate_key') || attempt === ATTEMPTS)
                    throw error;
                const madeRoom = await this.#open.sweep();
                if (!madeRoom && target.upsert !== true)
                    throw error;
            }
        }
    }
    async *#iterate(filter, options) {
        await this.#ready();
        try {
            for await (const document of this.#raw.find(this.#alive(filter), options))
                yield fromDriver(document);
        }
        catch (error) {
            throw storageError(error, this.#open.fullName);
        }
    }
}
function updateResult(done) {
    return {
        matched: done.matchedCount,
        modified: done.modifiedCount,
        upsertedId: done.upsertedId === null || done.upsertedId === undefined ? null : String(done.upsertedId),
    };
}
//# sourceMappingURL=collection.js.map