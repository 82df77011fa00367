/**
 * Optimistic transactions: reads see one snapshot and the transaction's own writes, which are kept back. The
 * commit looks whether any key that is written has changed since the snapshot: then another one was first.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageError } from '../../../sdk/storage.js';
import { WriteBatch } from './batch.js';
import { sameBytes, unavailable, } from './environment.js';
export class OpenTransaction {
    now;
    #catalog;
    #snapshot;
    #batch;
    #state = 'open';
    #failure;
    constructor(catalog, snapshot, now) {
        this.#catalog = catalog;
        this.#snapshot = snapshot;
        this.now = now;
        this.#batch = new WriteBatch(snapshot, now);
    }
    definition(name) {
        return this.#catalog.collection(name);
    }
    reader() {
        this.#check();
        return this.#batch;
    }
    snapshot() {
        this.#check();
        const batch = this.#batch;
        return {
            get: (space, key) => batch.get(space, key),
            range: (space, range) => batch.range(space, range),
            release: () => { },
        };
    }
    async write(job) {
        this.#check();
        try {
            return await Promise.resolve(this.#batch.attempt(job));
        }
        catch (error) {
            // As on MongoDB: after a refused write there is nothing but to roll back.
            this.#failure = unavailable(error);
            throw error;
        }
    }
    /** Resolves to false when another transaction was first. */
    async commit(queue, version) {
        this.#check();
        this.#state = 'ended';
        if (this.#batch.empty)
            return true;
        // Now, not in the commit: inside a write transaction lmdb reads its state instead of the snapshot's.
        const seen = this.#beforeImages();
        return queue.submitBatch((writer) => {
            if (this.#catalog.refresh(writer) !== version)
                return undefined;
            const unchanged = seen.every(({ space, key, bytes }) => sameBytes(bytes, writer.get(space, key)));
            return unchanged ? this.#batch : undefined;
        });
    }
    /** What the snapshot has under every key that is written. */
    #beforeImages() {
        return ['documents', 'indexes'].flatMap((space) => [...this.#batch.keys(space)].map((key) => {
            const bytes = this.#snapshot.get(space, key);
            return { space, key, bytes: bytes && Buffer.copyBytesFrom(bytes, 0, bytes.length) };
        }));
    }
    end() {
        this.#state = 'ended';
        this.#snapshot.release();
    }
    #check() {
        if (this.#state === 'ended')
            throw new StorageError('invalid', 'the transaction has ended');
        if (this.#failure !== undefined)
            throw this.#failure;
    }
}
/** What `storage.transaction` gave out. */
export function openTransaction(transaction) {
    if (!(transaction instanceof OpenTransaction))
        throw new StorageError('invalid', 'the transaction is not one of this store');
    return transaction;
}
const MOST_RUNS = 50;
/** Runs transactions again when they lose. Those that have lost once take turns, so that each gets through. */
export class Transactions {
    #environment;
    #catalog;
    #queue;
    #now;
    #lane = Promise.resolve();
    constructor(environment, catalog, queue, now) {
        this.#environment = environment;
        this.#catalog = catalog;
        this.#queue = queue;
        this.#now = now;
    }
    async run(work) {
        const once = await this.#attempt(work);
        if (once.committed)
            return once.result;
        const turn = this.#lane.then(() => this.#again(work));
        this.#lane = turn.catch(() => { });
        return turn;
    }
    async #again(work) {
        for (let run = 1; run < MOST_RUNS; run++) {
            const { committed, result } = await this.#attempt(work);
            if (committed)
                return result;
            if (run > 5)
                await sleep(Math.random() * run);
        }
        throw new StorageError('write_conflict', `the transaction lost against others ${MOST_RUNS} times`);
    }
    async #attempt(work) {
        const snapshot = this.#environment.snapshot();
        const transaction = new OpenTransaction(this.#catalog, snapshot, this.#now());
        try {
            const version = this.#catalog.refresh(snapshot);
            const result = await work(transaction);
            return { committed: await transaction.commit(this.#queue, version), result };
        }
        finally {
            transaction.end();
        }
    }
}
//# sourceMappingURL=transaction.js.map