import { toFilter } from './filter.js';
/**
 * The documents that may change are looked up before the write and read after it. One that is as it was is told
 * again, which a feed's reader must bear anyway.
 */
export function followed(open, target, write) {
    const changes = open.localChanges;
    if (changes === undefined || !changes.followed)
        return write();
    return changes.inOrder(async () => {
        const before = await idsOf(open, target);
        try {
            return await write();
        }
        finally {
            const ids = [...new Set([...before, ...(await idsOf(open, target))])];
            const found = await open.raw.find({ _id: { $in: ids } }).toArray();
            const byId = new Map(found.map((document) => [document._id, document]));
            changes.record(ids.map((id) => ({ id, document: byId.get(id) ?? null })));
        }
    });
}
async function idsOf(open, target) {
    const filters = [target.filter, ...(target.operations ?? []).map(filterOf)].filter((filter) => filter !== undefined);
    const ids = [...(target.ids ?? []), ...(target.operations ?? []).flatMap(idIn)];
    const any = [{ _id: { $in: ids } }, ...filters.map(toFilter)];
    const found = await open.raw.find({ $or: any }, { projection: { _id: 1 } }).toArray();
    return found.map(({ _id }) => _id);
}
function filterOf(operation) {
    return 'insertOne' in operation ? undefined : Object.values(operation)[0].filter;
}
function idIn(operation) {
    if ('insertOne' in operation)
        return [operation.insertOne._id];
    return 'replaceOne' in operation ? [operation.replaceOne.replacement._id] : [];
}
//# sourceMappingURL=followed.js.map