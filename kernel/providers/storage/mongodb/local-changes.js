/** The feed of changes on a standalone server: this instance's own writes, kept for a while in memory. */
import { randomUUID } from 'node:crypto';
import { StorageError, } from '../../../sdk/index.js';
/** Changes that a resuming feed can still be given. */
const KEPT = 10_000;
/** One collection's history, from the first feed on. */
export class LocalChanges {
    #origin = randomUUID();
    #waiting = new Set();
    #history = [];
    /** Sequence number of the first change in the history. */
    #first = 0;
    /** Nobody asked for a feed yet: writes need not be looked up. */
    followed = false;
    #last = Promise.resolve();
    /** Runs writes one after another, so that the history has their order. */
    inOrder(write) {
        const result = this.#last.then(write);
        this.#last = result.catch(() => { });
        return result;
    }
    record(changes) {
        this.#history.push(...changes);
        const surplus = this.#history.length - KEPT;
        if (surplus > 0) {
            this.#history.splice(0, surplus);
            this.#first += surplus;
        }
        for (const wake of this.#waiting)
            wake();
        this.#waiting.clear();
    }
    open({ after, signal }) {
        this.followed = true;
        const feed = new LocalFeed(this, after === undefined ? this.#first + this.#history.length : this.#placeOf(after));
        if (signal?.aborted)
            void feed.close();
        signal?.addEventListener('abort', () => void feed.close(), { once: true });
        return feed;
    }
    /** The change at a place, or a promise for one; undefined when `closed` comes first. */
    async at(place, closed) {
        while (place >= this.#first + this.#history.length) {
            if (closed.aborted)
                return undefined;
            await new Promise((wake) => {
                this.#waiting.add(wake);
                closed.addEventListener('abort', () => wake(), { once: true });
            });
        }
        if (closed.aborted)
            return undefined;
        const written = this.#history[place - this.#first];
        if (written === undefined)
            throw lost();
        const token = this.tokenAt(place + 1);
        return written.document === null
            ? { kind: 'delete', id: written.id, token }
            : { kind: 'put', id: written.id, document: structuredClone(written.document), token };
    }
    tokenAt(place) {
        return `${this.#origin}:${place}`;
    }
    #placeOf(token) {
        const [origin, place = ''] = token.split(':');
        if (origin !== this.#origin || Number(place) < this.#first)
            throw lost();
        return Number(place);
    }
}
class LocalFeed {
    #changes;
    #closing = new AbortController();
    #place;
    constructor(changes, place) {
        this.#changes = changes;
        this.#place = place;
    }
    get token() {
        return this.#changes.tokenAt(this.#place);
    }
    async *[Symbol.asyncIterator]() {
        for (;;) {
            const change = await this.#changes.at(this.#place, this.#closing.signal);
            if (change === undefined)
                return;
            this.#place++;
            yield change;
        }
    }
    async close() {
        this.#closing.abort();
    }
}
function lost() {
    return new StorageError('history_lost', 'a standalone server keeps no history of changes beyond this process; read everything anew');
}
//# sourceMappingURL=local-changes.js.map