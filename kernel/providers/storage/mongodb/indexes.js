import {} from '../../../sdk/index.js';
import { storageError } from './errors.js';
import { toFilter } from './filter.js';
/** Creates the collection and what is missing. Throws when a unique index meets documents that it forbids. */
export async function ensureIndexes(raw, declared, log) {
    const present = await presentIndexes(raw);
    if (present === null)
        await createCollection(raw);
    for (const spec of declared) {
        const found = present?.find((index) => sameKeys(index.key, spec.keys));
        if (found === undefined)
            await createIndex(raw, spec, log);
        else
            report(raw, spec, found, log);
    }
    for (const index of present ?? []) {
        if (index.name === '_id_' || declared.some((spec) => sameKeys(index.key, spec.keys)))
            continue;
        log.info({ collection: raw.collectionName, index: index.name }, 'an index is there that nothing declares');
    }
}
/** The options as MongoDB keeps them. Sparse over several paths is a partial index: MongoDB's own takes any path. */
export function indexOptions({ keys, unique, sparse, partial, expireAfterSeconds, }) {
    const paths = Object.keys(keys);
    const bySparse = sparse && (paths.length > 1 || partial !== undefined)
        ? paths.map((path) => ({ [path]: { $exists: true } }))
        : [];
    const conditions = [...(partial === undefined ? [] : [toFilter(partial)]), ...bySparse];
    return {
        name: Object.entries(keys)
            .map(([path, direction]) => `${path}_${direction}`)
            .join('_'),
        ...(unique && { unique }),
        ...(sparse && bySparse.length === 0 && { sparse }),
        ...(conditions.length === 1 && { partialFilterExpression: conditions[0] }),
        ...(conditions.length > 1 && { partialFilterExpression: { $and: conditions } }),
        ...(expireAfterSeconds !== undefined && { expireAfterSeconds }),
    };
}
async function presentIndexes(raw) {
    try {
        return await raw.indexes();
    }
    catch (error) {
        if (codeOf(error) === NAMESPACE_NOT_FOUND)
            return null;
        throw error;
    }
}
async function createCollection(raw) {
    try {
        await raw.db.createCollection(raw.collectionName);
    }
    catch (error) {
        // Another instance was first.
        if (codeOf(error) !== NAMESPACE_EXISTS)
            throw error;
    }
}
async function createIndex(raw, spec, log) {
    try {
        await raw.createIndex(spec.keys, indexOptions(spec));
    }
    catch (error) {
        if (CONFLICTS.has(codeOf(error))) {
            log.warn({ collection: raw.collectionName, keys: spec.keys }, 'an index cannot be made beside another one of its name; drop that one to have it as declared');
            return;
        }
        const mapped = storageError(error, raw.collectionName);
        if (mapped.code !== 'duplicate_key')
            throw mapped;
        const paths = Object.keys(spec.keys).join(', ');
        // Without the driver's error as the cause: its text holds the value that is there twice.
        // oxlint-disable-next-line preserve-caught-error
        throw new Error(`the unique index on ${paths} of "${raw.collectionName}" cannot be made: documents share a value; remove the duplicates and start again`);
    }
}
function report(raw, spec, found, log) {
    const wanted = { ...indexOptions(spec) };
    const different = COMPARED.filter((option) => JSON.stringify(wanted[option]) !== JSON.stringify(found[option]));
    if (different.length === 0)
        return;
    log.warn({ collection: raw.collectionName, index: found.name, different }, 'an index differs from its declaration and is left as it is; drop it to have it made anew');
}
const COMPARED = ['unique', 'sparse', 'partialFilterExpression', 'expireAfterSeconds'];
const NAMESPACE_NOT_FOUND = 26;
const NAMESPACE_EXISTS = 48;
/** IndexOptionsConflict and IndexKeySpecsConflict. */
const CONFLICTS = new Set([85, 86]);
function codeOf(error) {
    return error.code;
}
function sameKeys(one, other) {
    return JSON.stringify(Object.entries(one)) === JSON.stringify(Object.entries(other));
}
//# sourceMappingURL=indexes.js.map