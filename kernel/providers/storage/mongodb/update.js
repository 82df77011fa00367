/** The port's updates in MongoDB's words. */
import { Double } from 'mongodb';
import { StorageError } from '../../../sdk/index.js';
import { isOperators, toCondition, toFilter } from './filter.js';
import { checkValue } from './values.js';
export function toUpdate(update) {
    const result = {};
    for (const [operator, members] of Object.entries(update)) {
        const convert = OPERATORS[operator];
        if (convert === undefined)
            invalid(`unknown operator "${operator}"`);
        if (members === undefined)
            continue;
        if (typeof members !== 'object' || members === null)
            invalid(`"${operator}" takes an object of paths`);
        result[operator] = Object.fromEntries(Object.entries(members)
            .filter(([, value]) => value !== undefined)
            .map(([path, value]) => [checkPath(path), convert(value, path)]));
    }
    if (Object.keys(result).length === 0)
        invalid('it holds no operator');
    return result;
}
/** The id that an upsert would insert must be ours: the driver would make an ObjectId. Throws `invalid` without one. */
export function checkUpsertId(filter, update) {
    const inserted = { ...update.$set, ...update.$setOnInsert };
    if (typeof inserted['_id'] === 'string' || idIn(filter))
        return;
    invalid('an upsert takes its _id from the filter or from $setOnInsert');
}
function idIn(filter) {
    const { _id: id, $and: parts } = filter;
    if (typeof id === 'string' || (isOperators(id) && typeof id['$eq'] === 'string'))
        return true;
    return parts?.some(idIn) ?? false;
}
const OPERATORS = {
    $set: stored,
    $setOnInsert: stored,
    $min: stored,
    $max: stored,
    $unset: () => '',
    // As a double: an int32 that outgrows 32 bits would become an int64, and come back as a bigint.
    $inc: (value, path) => typeof value === 'number' ? new Double(value) : invalid(`"$inc" of "${path}" takes a number`),
    $push: (value, path) => items(value, path, ['$each', '$slice']),
    $addToSet: (value, path) => items(value, path, ['$each']),
    $pull: (value, path) => {
        if (isOperators(value))
            return toCondition(value);
        if (isPlainObject(value))
            return toFilter(value);
        return stored(value, path);
    },
};
function stored(value, path) {
    if (value instanceof RegExp)
        invalid(`"${path}": a RegExp cannot be stored`);
    checkValue(value, path);
    return value;
}
function items(value, path, modifiers) {
    if (!isOperators(value))
        return stored(value, path);
    for (const key of Object.keys(value))
        if (!modifiers.includes(key))
            invalid(`unknown operator "${key}" at "${path}"`);
    if (!Array.isArray(value['$each']))
        invalid(`"${path}": $each takes an array`);
    if ('$slice' in value && !Number.isInteger(value['$slice']))
        invalid(`"${path}": $slice takes a whole number`);
    return stored(value, path);
}
function checkPath(path) {
    if (path.split('.').some((part) => part === '' || part.startsWith('$')))
        invalid(`"${path}" is not a path of names and positions`);
    return path;
}
function isPlainObject(value) {
    return (typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        !(value instanceof Date) &&
        !(value instanceof Uint8Array));
}
function invalid(message) {
    throw new StorageError('invalid', `update: ${message}`);
}
//# sourceMappingURL=update.js.map