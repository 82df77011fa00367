/** Runs a plan over one state of the store: the matching, living documents in order. */
import { StorageError } from '../../../sdk/storage.js';
import { decode } from './bson.js';
import { documentKey } from './documents.js';
import { expires, isExpired } from './expiry.js';
import { describe, plan } from './plan.js';
import { compile } from './predicate.js';
import { compileProjection } from './projection.js';
import { sortKeys, Sorter } from './sort.js';
/** Checks and plans a query. Throws `invalid`. */
export function prepare(collection, filter, options, now) {
    const { skip = 0, limit } = options;
    if (!Number.isInteger(skip) || skip < 0)
        throw new StorageError('invalid', 'skip takes an integer of at least 0');
    if (limit !== undefined && (!Number.isInteger(limit) || limit < 1))
        throw new StorageError('invalid', 'limit takes an integer of at least 1');
    const sort = sortKeys(options.sort);
    const matches = compile(filter);
    return {
        collection,
        plan: plan(collection, filter, sort, limit !== undefined),
        matches,
        sort,
        skip,
        limit: limit ?? Infinity,
        project: compileProjection(options.projection),
        now,
    };
}
export function explain(query) {
    return describe(query.plan, query.sort);
}
/** `undefined` now and then: a place to let others have their turn. `scanned` is told how many were looked at. */
export function* run(reader, query, scanned) {
    const { plan, skip, limit, project, sort } = query;
    const show = (document) => (project === undefined ? document : project(document));
    if (!plan.ordered && sort.length > 0) {
        const sorter = new Sorter(sort, skip + limit);
        for (const document of matching(reader, query, scanned)) {
            if (document === undefined)
                yield undefined;
            else
                sorter.add(document);
        }
        for (const document of sorter.sorted().slice(skip))
            yield show(document);
        return;
    }
    let at = 0;
    for (const document of matching(reader, query, scanned)) {
        if (document === undefined)
            yield undefined;
        else if (at++ >= skip) {
            yield show(document);
            if (at - skip >= limit)
                return;
        }
    }
}
const PAUSE_EVERY = 512;
function* matching(reader, query, scanned) {
    const { collection, matches, now } = query;
    const mayExpire = expires(collection);
    let count = 0;
    for (const document of candidates(reader, collection, query.plan)) {
        if (++count % PAUSE_EVERY === 0) {
            scanned?.(count);
            yield undefined;
        }
        if (matches(document) && !(mayExpire && isExpired(collection, document, now)))
            yield document;
    }
}
function* candidates(reader, collection, plan) {
    switch (plan.access) {
        case 'ids':
            for (const id of plan.ids) {
                const bytes = reader.get('documents', documentKey(collection, id));
                if (bytes !== undefined)
                    yield decode(bytes);
            }
            return;
        case 'documents':
            for (const { value } of reader.range('documents', plan.range))
                yield decode(value);
            return;
        case 'index': {
            const seen = plan.repeats ? new Set() : undefined;
            for (const range of plan.ranges)
                for (const { value } of reader.range('indexes', range)) {
                    const id = value.toString('utf8');
                    if (seen?.has(id))
                        continue;
                    seen?.add(id);
                    const bytes = reader.get('documents', documentKey(collection, id));
                    if (bytes !== undefined)
                        yield decode(bytes);
                }
        }
    }
}
/** The first document, for a write or a findOne. */
export function first(reader, query, scanned) {
    for (const document of run(reader, query, scanned))
        if (document !== undefined)
            return document;
    return undefined;
}
export function everything(reader, query, scanned) {
    const documents = [];
    for (const document of run(reader, query, scanned))
        if (document !== undefined)
            documents.push(document);
    return documents;
}
//# sourceMappingURL=query.js.map