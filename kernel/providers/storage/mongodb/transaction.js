/** Transactions: a session, run again after a conflict, refused on a standalone server. */
import { setTimeout as delay } from 'node:timers/promises';
import { StorageError, isStorageError } from '../../../sdk/index.js';
import { isCommitUnknown, isTransient, storageError } from './errors.js';
/** What a plugin holds as its `Transaction`: one attempt. */
export class Attempt {
    session;
    /** The first refusal: the server has rolled back, so nothing that follows may count. */
    failure;
    /** Makes room for a write that only an expired document refused. Set by the collection it happened in. */
    makeRoom;
    #ended = false;
    #last = Promise.resolve();
    constructor(session) {
        this.session = session;
    }
    /** Runs one call. Calls of one transaction go one after another: a session cannot do two at once. */
    run(call, collection) {
        const result = this.#last.then(async () => {
            if (this.#ended)
                throw new StorageError('invalid', 'the transaction has ended');
            if (this.failure !== undefined)
                throw this.failure.error;
            try {
                return await call(this.session);
            }
            catch (error) {
                this.failure = { error: storageError(error, collection), transient: isTransient(error) };
                throw this.failure.error;
            }
        });
        this.#last = result.catch(() => { });
        return result;
    }
    /** Waits for the calls that nobody awaited and refuses later ones. */
    async end() {
        await this.#last;
        this.#ended = true;
    }
}
/** The attempt behind a plugin's transaction. */
export function attemptOf(transaction) {
    const attempt = transaction;
    if (attempt instanceof Attempt)
        return attempt;
    throw new StorageError('invalid', 'a transaction is what storage.transaction gives to its callback');
}
/** `deadline` in milliseconds: how long a lost conflict is tried again. */
export async function runTransaction(client, work, deadline) {
    const end = Date.now() + deadline;
    const session = client.startSession();
    try {
        for (let attempts = 0;; attempts++) {
            const outcome = await runOnce(session, work, end);
            if ('value' in outcome)
                return outcome.value;
            if (!outcome.again || Date.now() >= end)
                throw outcome.error;
            // Random, so that those who met once do not meet again.
            await delay(Math.random() * Math.min(5 * 1.5 ** attempts, 500));
        }
    }
    finally {
        await session.endSession();
    }
}
async function runOnce(session, work, end) {
    session.startTransaction({ readConcern: { level: 'snapshot' }, readPreference: 'primary' });
    const attempt = new Attempt(session);
    let thrown;
    let value;
    try {
        value = await work(attempt);
    }
    catch (error) {
        thrown = { error };
    }
    await attempt.end();
    const { failure } = attempt;
    if (thrown === undefined && failure === undefined)
        return commit(session, value, end);
    await session.abortTransaction().catch(() => { });
    const again = (failure?.transient ?? false) || (failure !== undefined && (await makeRoom(attempt, failure.error)));
    return { error: thrown === undefined ? failure?.error : thrown.error, again };
}
async function makeRoom(attempt, error) {
    if (attempt.makeRoom === undefined || !isStorageError(error, 'duplicate_key'))
        return false;
    return attempt.makeRoom();
}
async function commit(session, value, end) {
    for (;;) {
        try {
            await session.commitTransaction();
            return { value };
        }
        catch (error) {
            if (isCommitUnknown(error) && Date.now() < end)
                continue;
            return { error: storageError(error), again: isTransient(error) };
        }
    }
}
//# sourceMappingURL=transaction.js.map