/** BSON's order of values (https://www.mongodb.com/docs/manual/reference/bson-type-comparison-order/). */
export function inOrder(values) {
    return values.sort(compare);
}
function compare(a, b) {
    const byType = rank(a) - rank(b);
    if (byType !== 0)
        return byType;
    if (a instanceof Date)
        return a.getTime() - b.getTime();
    if (typeof a === 'string')
        return Buffer.compare(Buffer.from(a), Buffer.from(b));
    if (a instanceof Uint8Array)
        return a.length - b.length || Buffer.compare(a, b);
    if (typeof a === 'object' && a !== null)
        return compareMembers(a, b);
    if (a < b)
        return -1;
    return a > b ? 1 : 0;
}
function compareMembers(a, b) {
    const [one, other] = [Object.entries(a), Object.entries(b)];
    for (const [at, [name, value]] of one.entries()) {
        const match = other[at];
        if (match === undefined)
            return 1;
        const order = rank(value) - rank(match[1]) || compare(name, match[0]) || compare(value, match[1]);
        if (order !== 0)
            return order;
    }
    return one.length - other.length;
}
function rank(value) {
    if (value === null || value === undefined)
        return 0;
    switch (typeof value) {
        case 'number':
        case 'bigint':
            return 1;
        case 'string':
            return 2;
        case 'boolean':
            return 6;
        default:
            if (value instanceof Date)
                return 7;
            if (value instanceof Uint8Array)
                return 5;
            return Array.isArray(value) ? 4 : 3;
    }
}
//# sourceMappingURL=distinct.js.map