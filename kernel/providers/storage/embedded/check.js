import { decode } from './bson.js';
import { documentKey, entryKeys, readDocument } from './documents.js';
import { prefix } from './key-encoding.js';
import { wholeCollection } from './plan.js';
export function check(environment, catalog) {
    const snapshot = environment.snapshot();
    try {
        catalog.refresh(snapshot);
        const report = { documents: 0, entries: 0, faults: [] };
        for (const collection of catalog.all()) {
            report.documents += checkDocuments(snapshot, collection, report.faults);
            for (const index of collection.indexes)
                report.entries += checkIndex(snapshot, collection, index, report.faults);
        }
        return report;
    }
    finally {
        snapshot.release();
    }
}
function* documentsOf(snapshot, collection) {
    for (const { key, value } of snapshot.range('documents', wholeCollection(collection)))
        yield { key, values: decode(value) };
}
function checkDocuments(snapshot, collection, faults) {
    let count = 0;
    for (const { key, values } of documentsOf(snapshot, collection)) {
        count++;
        const id = values['_id'];
        if (typeof id !== 'string' || Buffer.compare(documentKey(collection, id), key) !== 0)
            faults.push(`${collection.name}: the document "${String(id)}" stands under another id`);
    }
    return count;
}
/** Every document has its entries; when that is so, more entries than that belong to nobody. */
function checkIndex(snapshot, collection, index, faults) {
    const where = `${collection.name}, index ${index.name}`;
    let expected = 0;
    for (const { values } of documentsOf(snapshot, collection)) {
        const id = values['_id'];
        for (const key of entryKeys(undefined, collection, index, id, values)) {
            expected++;
            const holder = snapshot.get('indexes', key)?.toString('utf8');
            if (holder !== id)
                faults.push(`${where}: the document "${id}" ${holder === undefined ? 'is missing' : `is hidden by "${holder}"`}`);
        }
    }
    let actual = 0;
    for (const { key, value } of snapshot.range('indexes', {
        start: prefix(index.number),
        end: prefix(index.number + 1),
    })) {
        actual++;
        const id = value.toString('utf8');
        const values = readDocument(snapshot, collection, id);
        const belongs = values &&
            entryKeys(undefined, collection, index, id, values).some((entry) => Buffer.compare(entry, key) === 0);
        if (!belongs)
            faults.push(`${where}: an entry for "${id}" has no such document`);
    }
    if (actual !== expected)
        faults.push(`${where}: ${actual} entries where the documents have ${expected}`);
    return actual;
}
//# sourceMappingURL=check.js.map