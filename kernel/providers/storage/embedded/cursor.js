/** A find as an async iterable; it reads one snapshot, from the first document to the last. */
import { setImmediate as turn } from 'node:timers/promises';
import { everything, run } from './query.js';
/** A page from an index is read at once; anything that may be longer lets others have their turn. */
const PAGE = 200;
export class FindCursor {
    #access;
    #query;
    #scanned;
    constructor(access, query, scanned) {
        this.#access = access;
        this.#query = query;
        this.#scanned = scanned;
    }
    async toArray() {
        const query = this.#query();
        if (query.plan.access === 'ids' || (query.plan.ordered && query.skip + query.limit <= PAGE))
            return asDocuments(everything(this.#access.reader(), query, (count) => this.#scanned(query, count)));
        const documents = [];
        for await (const document of this.#steps(query))
            documents.push(document);
        return asDocuments(documents);
    }
    async *[Symbol.asyncIterator]() {
        for await (const document of this.#steps(this.#query()))
            yield document;
    }
    /** The snapshot is held until the last step: what is deleted meanwhile keeps its space. */
    async *#steps(query) {
        const snapshot = this.#access.snapshot();
        try {
            for (const document of run(snapshot, query, (count) => this.#scanned(query, count))) {
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
function asDocuments(values) {
    return values;
}
//# sourceMappingURL=cursor.js.map