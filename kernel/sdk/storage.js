/**
 * The storage port: the small part of a document database that every plugin shares. Two implementations stand
 * behind it (MongoDB and the embedded store) and every method means the same in both.
 *
 * Errors are `StorageError`s with a code:
 * - `duplicate_key`   a unique index refuses the write; nothing of that single write was stored.
 * - `write_conflict`  a transaction lost against another one even after its retries; nothing was stored.
 * - `unavailable`     the store cannot be reached; the caller may try again. Answered as 503.
 * - `too_large`       a document is over 16 MiB.
 * - `invalid`         the call itself is wrong: unknown operator, `$inc` on a string, an id of a wrong type.
 * - `unsupported`     this deployment cannot do it (transactions on a standalone MongoDB server).
 * - `history_lost`    a resume token is older than the change history that is kept; read everything anew.
 *
 * Durability: a write that has resolved survives `kill -9` of the server and, on MongoDB, the loss of the
 * primary (write concern majority, journalled).
 *
 * Values are JSON's, and `Date` (milliseconds), `Uint8Array` and `bigint` (64 bits). `undefined` members are
 * not stored. Order between types is BSON's: missing and null, numbers, strings (by code point), objects,
 * arrays, binary, booleans, dates.
 */
const BRAND = Symbol.for('plugboard.StorageError');
export class StorageError extends Error {
    name = 'StorageError';
    code;
    /** `duplicate_key`: the paths of the index that refused, joined by commas (`_id` for the primary key). */
    index;
    constructor(code, message, options = {}) {
        super(message, options.cause === undefined ? undefined : { cause: options.cause });
        this.code = code;
        this.index = options.index;
    }
    get [BRAND]() {
        return true;
    }
}
export function isStorageError(value, code) {
    return (typeof value === 'object' &&
        value !== null &&
        BRAND in value &&
        (code === undefined || value.code === code));
}
//# sourceMappingURL=storage.js.map