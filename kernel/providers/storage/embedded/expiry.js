import { someAt } from './path.js';
/** True from the instant at which a Date under an expiring index plus its seconds is reached. */
export function isExpired(collection, values, now) {
    for (const { spec, paths, partial } of collection.indexes) {
        if (spec.expireAfterSeconds === undefined || partial?.(values) === false)
            continue;
        const latest = now - spec.expireAfterSeconds * 1000;
        const ended = (value) => value instanceof Date && value.getTime() <= latest;
        if (someAt(values, paths[0], 0, (value) => (Array.isArray(value) ? value.some(ended) : ended(value))))
            return true;
    }
    return false;
}
export function expires(collection) {
    return collection.indexes.some(({ spec }) => spec.expireAfterSeconds !== undefined);
}
//# sourceMappingURL=expiry.js.map