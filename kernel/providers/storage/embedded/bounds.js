/** What a filter demands of single paths: the part of it that an index can serve. */
import { isPlainObject } from './bson.js';
import { compare, rank, Rank } from './order.js';
import { compile } from './predicate.js';
export function demands(filter) {
    const byPath = new Map();
    const existing = new Set();
    collect(filter, byPath, existing);
    for (const [path, list] of byPath)
        if (list.some(excludesMissing))
            existing.add(path);
    return { byPath, existing };
}
function collect(filter, byPath, existing) {
    for (const [key, value] of Object.entries(filter)) {
        if (key === '$and')
            for (const part of value)
                collect(part, byPath, existing);
        if (key.startsWith('$'))
            continue;
        if (isPlainObject(value) && value['$exists'] === true)
            existing.add(key);
        const list = byPath.get(key) ?? [];
        list.push(...demandsOf(value));
        if (list.length > 0)
            byPath.set(key, list);
    }
}
function demandsOf(value) {
    if (value instanceof RegExp)
        return [];
    if (!isPlainObject(value) || !Object.keys(value).some((key) => key.startsWith('$')))
        return canBePoint(value) ? [{ points: [value] }] : [];
    return Object.entries(value).flatMap(([operator, operand]) => demandOf(operator, operand));
}
function demandOf(operator, operand) {
    switch (operator) {
        case '$eq':
            return canBePoint(operand) ? [{ points: [operand] }] : [];
        case '$in':
            return Array.isArray(operand) && operand.every(canBePoint) ? [{ points: operand }] : [];
        case '$gt':
        case '$gte':
        case '$lt':
        case '$lte': {
            const inclusive = operator === '$gte' || operator === '$lte';
            if (!canBePoint(operand))
                return [];
            if (operand === null)
                return inclusive ? [{ points: [null] }] : [];
            const limit = { value: operand, inclusive };
            return [
                operator.startsWith('$g') ? { lower: limit, upper: undefined } : { lower: undefined, upper: limit },
            ];
        }
        default:
            return [];
    }
}
/** An index holds the items of an array, not the array. */
function canBePoint(value) {
    return !Array.isArray(value) && !(value instanceof RegExp);
}
function excludesMissing(demand) {
    return 'points' in demand ? demand.points.every((point) => rank(point) !== Rank.null) : true;
}
/**
 * The demands on one path as one. Where documents have arrays, different items may meet different demands, so
 * only one of them can bound the range.
 */
export function combine(list, multikey) {
    const pointed = list.filter((demand) => 'points' in demand);
    if (pointed.length > 0)
        return pointed.reduce((best, demand) => (demand.points.length < best.points.length ? demand : best));
    const ranges = list.filter((demand) => 'lower' in demand);
    if (ranges.length === 0)
        return undefined;
    if (multikey)
        return ranges[0];
    const type = rank((ranges[0].lower ?? ranges[0].upper).value);
    return ranges
        .filter(({ lower, upper }) => rank((lower ?? upper).value) === type)
        .reduce((a, b) => ({ lower: tighter(a.lower, b.lower, 1), upper: tighter(a.upper, b.upper, -1) }));
}
function tighter(a, b, direction) {
    if (a === undefined || b === undefined)
        return a ?? b;
    const order = compare(a.value, b.value) * direction;
    if (order === 0)
        return a.inclusive ? b : a;
    return order > 0 ? a : b;
}
/** Whether every document that meets the demands also matches the filter of a partial index. */
export function implies(wanted, partial) {
    return Object.entries(partial).every(([key, value]) => {
        if (key === '$and')
            return value.every((part) => implies(wanted, part));
        if (isPlainObject(value) && Object.keys(value).some((operator) => operator.startsWith('$')))
            return Object.entries(value).every(([operator, operand]) => impliesOne(wanted, key, operator, operand));
        return impliesOne(wanted, key, '$eq', value);
    });
}
function impliesOne(wanted, path, operator, operand) {
    if (operator === '$exists')
        return operand === true && wanted.existing.has(path);
    const holds = compile({ value: { [operator]: operand } });
    return (wanted.byPath.get(path) ?? []).some((demand) => 'points' in demand
        ? demand.points.length > 0 && demand.points.every((value) => holds({ value: value }))
        : withinLimit(demand, operator, operand, holds));
}
function withinLimit({ lower, upper }, operator, operand, holds) {
    const limit = operator.startsWith('$g') ? lower : operator.startsWith('$l') ? upper : undefined;
    if (limit === undefined || rank(limit.value) !== rank(operand))
        return false;
    return holds({ value: limit.value }) || (!limit.inclusive && compare(limit.value, operand) === 0);
}
//# sourceMappingURL=bounds.js.map