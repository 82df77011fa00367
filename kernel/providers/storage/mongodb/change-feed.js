/** The feed of changes behind a change stream, which resumes by itself when the server comes back. */
import { setTimeout as delay } from 'node:timers/promises';
import { StorageError, } from '../../../sdk/index.js';
import { storageError } from './errors.js';
import { fromDriver } from './values.js';
/** Fixes the position before it resolves. Throws `history_lost` for a token that the server no longer knows. */
export async function openChangeFeed(raw, { after, signal }, log) {
    const feed = new StreamFeed(raw, await positionNow(raw, after), log);
    if (signal?.aborted)
        await feed.close();
    signal?.addEventListener('abort', () => void feed.close(), { once: true });
    return feed;
}
/** Opens a change stream for its first token alone; a driver's stream would tell it only after its first wait. */
async function positionNow(raw, after) {
    if (after !== undefined && !/^[0-9A-F]+$/.test(after))
        throw new StorageError('history_lost', 'the resume token is none of this store; read everything anew');
    const stage = after === undefined ? {} : { resumeAfter: { _data: after } };
    const opened = await raw.db.command({
        aggregate: raw.collectionName,
        pipeline: [{ $changeStream: stage }],
        cursor: { batchSize: 0 },
    });
    const cursor = opened['cursor'];
    await raw.db.command({ killCursors: raw.collectionName, cursors: [cursor.id] }).catch(() => { });
    return after ?? cursor.postBatchResumeToken._data;
}
class StreamFeed {
    #raw;
    #log;
    #closing = new AbortController();
    #stream;
    #token;
    constructor(raw, token, log) {
        this.#raw = raw;
        this.#token = token;
        this.#log = log;
    }
    get token() {
        return this.#token;
    }
    async *[Symbol.asyncIterator]() {
        while (!this.#closing.signal.aborted) {
            const event = await this.#next();
            if (event === undefined)
                return;
            const change = toChange(event);
            this.#token = tokenOf(event);
            if (change !== undefined)
                yield change;
        }
    }
    async close() {
        this.#closing.abort();
        await this.#stream?.close().catch(() => { });
    }
    /** The next event, through as many lost connections as it takes; undefined once the feed is closed. */
    async #next() {
        for (let failures = 0;; failures++) {
            try {
                this.#stream ??= this.#open();
                const event = await this.#stream.next();
                if (failures > 0)
                    this.#log.info({ collection: this.#raw.collectionName }, 'the change feed goes on');
                return event;
            }
            catch (error) {
                if (this.#closing.signal.aborted)
                    return undefined;
                const mapped = storageError(error, this.#raw.collectionName);
                await this.#stream?.close().catch(() => { });
                this.#stream = undefined;
                if (mapped.code !== 'unavailable')
                    throw mapped;
                if (failures === 0)
                    this.#log.warn({ collection: this.#raw.collectionName }, 'the change feed lost the server and tries again');
                await delay(Math.min(100 * 2 ** failures, 2000), undefined, { signal: this.#closing.signal }).catch(() => { });
                if (this.#closing.signal.aborted)
                    return undefined;
            }
        }
    }
    #open() {
        return this.#raw.watch([], {
            fullDocument: 'updateLookup',
            readConcern: { level: 'majority' },
            resumeAfter: { _data: this.#token },
        });
    }
}
function tokenOf(event) {
    return event._id._data;
}
/** Undefined for a put whose document is gone by now: its deletion follows. */
function toChange(event) {
    const token = tokenOf(event);
    switch (event.operationType) {
        case 'insert':
        case 'update':
        case 'replace': {
            const document = event.fullDocument;
            if (document === null || document === undefined)
                return undefined;
            return { kind: 'put', id: String(event.documentKey._id), document: fromDriver(document), token };
        }
        case 'delete':
            return { kind: 'delete', id: String(event.documentKey._id), token };
        case 'drop':
        case 'dropDatabase':
        case 'rename':
        case 'invalidate':
            throw new StorageError('history_lost', 'the collection was dropped or renamed; read everything anew');
        default:
            return undefined;
    }
}
//# sourceMappingURL=change-feed.js.map