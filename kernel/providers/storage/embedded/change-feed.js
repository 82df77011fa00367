/** A collection's changes as they are committed, by this process and by others. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StorageError, } from '../../../sdk/storage.js';
import { decode } from './bson.js';
/** How often the commits of other processes are looked for, in ms. */
const POLL = 50;
const CHANGES_PER_READ = 256;
/** Wakes the feeds that wait when this process has committed. */
export class Commits {
    #waiting = [];
    announce() {
        const waiting = this.#waiting;
        this.#waiting = [];
        for (const wake of waiting)
            wake();
    }
    /** Resolves at the next commit here, or soon, for those of other processes. */
    async next(signal) {
        const done = new AbortController();
        const committed = new Promise((resolve) => this.#waiting.push(resolve));
        const pause = sleep(POLL, undefined, {
            ref: false,
            signal: AbortSignal.any([signal, done.signal]),
        }).catch(() => { });
        await Promise.race([committed, pause]);
        done.abort();
    }
}
export class LogFeed {
    #environment;
    #log;
    #commits;
    #collection;
    #closing = new AbortController();
    #signal;
    #position;
    constructor(source, collection, position, signal) {
        this.#environment = source.environment;
        this.#log = source.log;
        this.#commits = source.commits;
        this.#collection = collection;
        this.#position = position;
        this.#signal = signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal;
    }
    get token() {
        return toToken(this.#position);
    }
    close() {
        this.#closing.abort();
        return Promise.resolve();
    }
    async *[Symbol.asyncIterator]() {
        while (!this.#signal.aborted) {
            const changes = this.#log.after(this.#environment.latest, this.#position, CHANGES_PER_READ);
            for (const { sequence, collection, id, document } of changes) {
                if (this.#signal.aborted)
                    return;
                this.#position = sequence;
                if (collection !== this.#collection)
                    continue;
                const token = toToken(sequence);
                yield document === null
                    ? { kind: 'delete', id, token }
                    : { kind: 'put', id, document: decode(document), token };
            }
            if (changes.length === 0)
                await this.#commits.next(this.#signal);
        }
    }
}
function toToken(sequence) {
    return `embedded:${sequence}`;
}
export function fromToken(token) {
    const sequence = /^embedded:(\d{1,15})$/.exec(token)?.[1];
    if (sequence === undefined)
        throw new StorageError('history_lost', `"${token}" is no resume token of this store`);
    return Number(sequence);
}
//# sourceMappingURL=change-feed.js.map