/** Which paths of a document an answer keeps or leaves out. */
import { StorageError } from '../../../sdk/storage.js';
import { isPlainObject } from './bson.js';
export function compileProjection(projection) {
    const entries = Object.entries(projection ?? {}).filter(([, flag]) => flag !== undefined);
    if (entries.length === 0)
        return undefined;
    const others = entries.filter(([path]) => path !== '_id');
    const keeps = others.length > 0 ? others[0][1] === 1 : entries[0][1] === 1;
    if (others.some(([, flag]) => (flag === 1) !== keeps))
        throw new StorageError('invalid', 'a projection keeps paths or leaves paths out, not both');
    const tree = treeOf(others.map(([path]) => path));
    const id = projection?.['_id'];
    if (keeps ? id !== 0 : id === 0)
        tree.set('_id', true);
    return keeps ? (document) => keep(document, tree) : (document) => omit(document, tree);
}
function treeOf(paths) {
    const root = new Map();
    for (const path of paths) {
        const parts = path.split('.');
        let node = root;
        for (const part of parts.slice(0, -1)) {
            const inner = node.get(part);
            if (inner === true)
                throw new StorageError('invalid', `a projection names "${path}" and a part of it`);
            const next = inner ?? new Map();
            node.set(part, next);
            node = next;
        }
        if (node.has(parts.at(-1)))
            throw new StorageError('invalid', `a projection names "${path}" and a part of it`);
        node.set(parts.at(-1), true);
    }
    return root;
}
function keep(object, tree) {
    const kept = {};
    for (const [name, value] of Object.entries(object)) {
        const node = tree.get(name);
        if (node === true)
            kept[name] = value;
        else if (node !== undefined) {
            const inner = keepIn(value, node);
            if (inner !== undefined)
                kept[name] = inner;
        }
    }
    return kept;
}
function keepIn(value, tree) {
    if (Array.isArray(value))
        return value.map((item) => keepIn(item, tree)).filter((item) => item !== undefined);
    return isPlainObject(value) ? keep(value, tree) : undefined;
}
function omit(object, tree) {
    const left = {};
    for (const [name, value] of Object.entries(object)) {
        const node = tree.get(name);
        if (node === undefined)
            left[name] = value;
        else if (node !== true)
            left[name] = omitIn(value, node);
    }
    return left;
}
function omitIn(value, tree) {
    if (Array.isArray(value))
        return value.map((item) => omitIn(item, tree));
    return isPlainObject(value) ? omit(value, tree) : value;
}
//# sourceMappingURL=projection.js.map