import { StorageError } from '../../../sdk/index.js';
export function toFindOptions({ sort, skip, limit, projection }) {
    if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1))
        invalid('limit is a whole number from 1');
    if (skip !== undefined && !(Number.isInteger(skip) && skip >= 0))
        invalid('skip is a whole number from 0');
    return {
        ...(sort !== undefined && { sort: toSort(sort) }),
        ...(skip !== undefined && { skip }),
        ...(limit !== undefined && { limit }),
        ...(projection !== undefined && { projection: checkProjection(projection) }),
    };
}
export function toSort(sort) {
    for (const [path, direction] of Object.entries(sort))
        if (direction !== 1 && direction !== -1)
            invalid(`sort of "${path}" is 1 or -1`);
    return { ...sort };
}
function checkProjection(projection) {
    const checked = {};
    for (const [path, value] of Object.entries(projection)) {
        if (value !== 0 && value !== 1)
            invalid(`projection of "${path}" is 0 or 1`);
        checked[path] = value;
    }
    return checked;
}
function invalid(message) {
    throw new StorageError('invalid', message);
}
//# sourceMappingURL=find-options.js.map