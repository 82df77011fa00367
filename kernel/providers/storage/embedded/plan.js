import { combine, demands, implies } from './bounds.js';
import { encodeBound, encodeId, encodePart, invert, prefix, successor } from './key-encoding.js';
import { rank } from './order.js';
/** More points than this and an index is left at its last path with fewer. */
const MOST_RANGES = 1000;
export function plan(collection, filter, sort, limited) {
    const wanted = demands(filter);
    const byId = planIds(collection, wanted, sort);
    if (byId?.access === 'ids')
        return byId;
    let best;
    let bestWorth = 0;
    for (const index of collection.indexes) {
        if (!usable(index, wanted))
            continue;
        const candidate = planIndex(collection, index, wanted, sort, limited);
        if (candidate.worth > bestWorth)
            [best, bestWorth] = [candidate.plan, candidate.worth];
    }
    if (byId !== undefined && bestWorth < 2)
        return byId;
    return best ?? scan(collection, sort);
}
export function describe(plan, sort) {
    const order = sort.length === 0 ? 'none' : plan.ordered ? 'index' : 'memory';
    switch (plan.access) {
        case 'ids':
            return { access: 'id', index: null, sort: order };
        case 'documents':
            return {
                access: plan.all && !(plan.ordered && sort.length > 0) ? 'scan' : 'id',
                index: null,
                sort: order,
            };
        case 'index':
            return { access: 'index', index: plan.index.name, sort: order };
    }
}
function scan(collection, sort) {
    const [first] = sort;
    const ordered = sort.length === 0 || (first.path === '_id' && !collection.longIds);
    const range = wholeCollection(collection, ordered && first?.direction === -1);
    return { access: 'documents', range, all: true, ordered };
}
export function wholeCollection({ number }, reverse = false) {
    return { start: prefix(number), end: prefix(number + 1), reverse };
}
function planIds(collection, wanted, sort) {
    const demand = combine(wanted.byPath.get('_id') ?? [], false);
    if (demand === undefined)
        return undefined;
    if ('points' in demand) {
        const ids = [...new Set(demand.points.filter((point) => typeof point === 'string'))];
        return { access: 'ids', ids, ordered: sort.length === 0 || ids.length < 2 };
    }
    const limit = demand.lower ?? demand.upper;
    if (typeof limit?.value !== 'string' || collection.longIds)
        return undefined;
    const { ordered, range } = scan(collection, sort);
    const at = (value) => prefix(collection.number, encodeId(value));
    // Ids are not ended in their keys: what follows an id at once is the id and a zero byte.
    const behind = (key) => Buffer.concat([key, Buffer.from([0])]);
    const { lower, upper } = demand;
    return {
        access: 'documents',
        range: {
            start: lower === undefined ? range.start : lower.inclusive ? at(lower.value) : behind(at(lower.value)),
            end: upper === undefined ? range.end : upper.inclusive ? behind(at(upper.value)) : at(upper.value),
            reverse: range.reverse === true,
        },
        all: false,
        ordered,
    };
}
/** Whether the index holds every document that the filter can match. */
function usable(index, wanted) {
    if (index.spec.partial !== undefined && !implies(wanted, index.spec.partial))
        return false;
    return index.spec.sparse !== true || index.pathNames.every((path) => wanted.existing.has(path));
}
function planIndex(collection, index, wanted, sort, limited) {
    const bounded = [];
    let prefixes = [prefix(index.number)];
    let ranges;
    let worth = 0;
    for (const [at, path] of index.pathNames.entries()) {
        const demand = combine(wanted.byPath.get(path) ?? [], (index.multikey & (1 << at)) !== 0);
        if (demand === undefined)
            break;
        if ('points' in demand) {
            if (prefixes.length * demand.points.length > MOST_RANGES)
                break;
            prefixes = prefixes.flatMap((start) => extend(start, demand.points, index, at));
            worth += 4;
        }
        else {
            ranges = prefixes.map((start) => between(start, demand, index, at));
            worth += 2;
        }
        bounded.push(demand);
        if (ranges !== undefined)
            break;
    }
    ranges = (ranges ?? prefixes.map((start) => ({ start, end: successor(start) }))).sort((a, b) => Buffer.compare(a.start, b.start));
    const direction = sort.length === 0 ? 1 : orderOf(collection, index, bounded, sort);
    const ordered = direction !== undefined;
    if (ordered && sort.length > 0)
        worth += limited ? 3 : 1;
    if (bounded.length === index.paths.length && index.spec.unique === true)
        worth += 1;
    return {
        plan: {
            access: 'index',
            index,
            ranges: direction === -1 ? ranges.map((range) => ({ ...range, reverse: true })).reverse() : ranges,
            repeats: index.multikey !== 0,
            ordered,
        },
        worth,
    };
}
function extend(start, points, index, at) {
    const keys = points.map((point) => Buffer.concat([start, encodePart(point, index.directions[at], index.paths.length).bytes]));
    return [...new Map(keys.map((key) => [key.toString('latin1'), key])).values()];
}
function between(start, { lower, upper }, index, at) {
    const direction = index.directions[at];
    const type = Buffer.from([rank((lower ?? upper).value)]);
    const bound = (limit) => {
        if (limit === undefined)
            return { bytes: direction === 1 ? type : invert(type), inclusive: true };
        const { bytes, truncated } = encodeBound(limit.value, direction, index.paths.length);
        return { bytes, inclusive: limit.inclusive || truncated };
    };
    const [first, last] = direction === 1 ? [bound(lower), bound(upper)] : [bound(upper), bound(lower)];
    const from = Buffer.concat([start, first.bytes]);
    const to = Buffer.concat([start, last.bytes]);
    return { start: first.inclusive ? from : successor(from), end: last.inclusive ? successor(to) : to };
}
/** In which direction the index gives the order; undefined when it does not. */
function orderOf(collection, index, bounded, sort) {
    if (index.truncated)
        return undefined;
    let direction;
    const agrees = (turn) => (direction ??= turn) === turn;
    const isConstant = (at) => {
        const demand = bounded[at];
        return demand !== undefined && 'points' in demand && demand.points.length === 1 && !hasArrays(index, at);
    };
    const constants = new Set(index.pathNames.filter((_, at) => isConstant(at)));
    const remaining = sort.filter(({ path }) => !constants.has(path));
    let at = 0;
    for (const { path, direction: wantedDirection } of remaining) {
        while (at < index.paths.length && constants.has(index.pathNames[at]))
            at++;
        if (at < index.paths.length && index.pathNames[at] === path) {
            // A bound on an array's items hides the item that decides the order.
            if (hasArrays(index, at) && bounded[at] !== undefined)
                return undefined;
            if (!agrees((wantedDirection * index.directions[at])))
                return undefined;
            at++;
        }
        else if (path === '_id' && at === index.paths.length) {
            // In a unique index no two entries tie; elsewhere ties are in the order of the id.
            if (index.spec.unique !== true &&
                (collection.longIds || !agrees((wantedDirection * index.directions.at(-1)))))
                return undefined;
            break;
        }
        else {
            return undefined;
        }
    }
    // Several ranges follow each other in order only when they bound the paths that are sorted by.
    const points = bounded.findIndex((demand, place) => demand !== undefined && 'points' in demand && !isConstant(place));
    if (points >= 0 && remaining.length > 0 && !sortsBy(remaining, index, points, constants))
        return undefined;
    return direction ?? 1;
}
/** Whether the path at `place` is among those sorted by before any later one. */
function sortsBy(sort, index, place, constants) {
    const order = index.pathNames.slice(0, place + 1).filter((path) => !constants.has(path));
    return order.every((path, at) => sort[at]?.path === path);
}
function hasArrays(index, at) {
    return (index.multikey & (1 << at)) !== 0;
}
//# sourceMappingURL=plan.js.map