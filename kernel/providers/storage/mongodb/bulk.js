/** Many writes in one message, in order, up to the first that is refused. */
import { MongoBulkWriteError, } from 'mongodb';
import { isStorageError, } from '../../../sdk/index.js';
import { storageError } from './errors.js';
import { toFilter } from './filter.js';
import { checkUpsertId, toUpdate } from './update.js';
import { checkDocument } from './values.js';
/** Goes on behind an operation that was refused by an expired document only, or that lost a race of upserts. */
export async function writeBulk(open, operations, options) {
    const converted = operations.map((operation) => toDriver(open, operation));
    let total = { inserted: 0, matched: 0, modified: 0, deleted: 0, upserted: 0 };
    let lastRefused = -1;
    for (let from = 0; from < converted.length;) {
        try {
            const done = await open.raw.bulkWrite(converted.slice(from), { ordered: true, ...options });
            return add(total, done);
        }
        catch (error) {
            // In a transaction the server has rolled back: the transaction decides.
            if (options.session !== undefined || !(error instanceof MongoBulkWriteError))
                throw mapped(error, open, options);
            const refused = from + firstRefused(error);
            const reason = storageError(error, open.fullName);
            const again = isStorageError(reason, 'duplicate_key') &&
                refused > lastRefused &&
                ((await open.sweep()) || isUpsert(operations[refused]));
            if (!again)
                throw reason;
            total = add(total, error.result);
            from = lastRefused = refused;
        }
    }
    return total;
}
function mapped(error, open, options) {
    return options.session === undefined ? storageError(error, open.fullName) : error;
}
function firstRefused(error) {
    const errors = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
    return errors[0]?.index ?? 0;
}
function isUpsert(operation) {
    if (operation === undefined)
        return false;
    if ('updateOne' in operation)
        return operation.updateOne.upsert === true;
    return 'replaceOne' in operation && operation.replaceOne.upsert === true;
}
function add(total, done) {
    return {
        inserted: total.inserted + done.insertedCount,
        matched: total.matched + done.matchedCount,
        modified: total.modified + done.modifiedCount,
        deleted: total.deleted + done.deletedCount,
        upserted: total.upserted + done.upsertedCount,
    };
}
function toDriver(open, operation) {
    const alive = (filter) => open.expiry.alive(toFilter(filter));
    if ('insertOne' in operation) {
        checkDocument(operation.insertOne);
        return { insertOne: { document: operation.insertOne } };
    }
    if ('updateOne' in operation) {
        const { filter, update, upsert = false } = operation.updateOne;
        if (upsert)
            checkUpsertId(filter, update);
        return { updateOne: { filter: alive(filter), update: toUpdate(update), upsert } };
    }
    if ('updateMany' in operation) {
        const { filter, update } = operation.updateMany;
        return { updateMany: { filter: alive(filter), update: toUpdate(update) } };
    }
    if ('replaceOne' in operation) {
        const { filter, replacement, upsert = false } = operation.replaceOne;
        checkDocument(replacement);
        return { replaceOne: { filter: alive(filter), replacement: replacement, upsert } };
    }
    if ('deleteOne' in operation)
        return { deleteOne: { filter: alive(operation.deleteOne.filter) } };
    return { deleteMany: { filter: alive(operation.deleteMany.filter) } };
}
//# sourceMappingURL=bulk.js.map