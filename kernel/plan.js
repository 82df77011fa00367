/**
 * Topological over needs and wants; ties keep the order given. `core` are the tokens that the kernel provides
 * itself.
 */
export function planOrder(instances, core) {
    const problems = [];
    const providers = new Map(core.map(({ id }) => [id, null]));
    for (const instance of instances) {
        for (const { id } of Object.values(instance.definition.provides ?? {})) {
            const first = providers.get(id);
            if (first === undefined)
                providers.set(id, instance);
            else
                problems.push({
                    instance,
                    message: `provides ${id}, which ${first === null ? 'the kernel' : `"${first.id}"`} provides too; leave one of them out`,
                });
        }
    }
    const edges = new Map();
    for (const instance of instances) {
        const { needs = {}, wants = {} } = instance.definition;
        for (const { id } of Object.values(needs)) {
            if (providers.has(id))
                continue;
            problems.push({ instance, message: `needs ${id}, which no enabled plugin provides` });
        }
        const before = [...Object.values(needs), ...Object.values(wants)]
            .map(({ id }) => providers.get(id))
            .filter((provider) => provider !== undefined && provider !== null);
        edges.set(instance, [...new Set(before)]);
    }
    const { order, cycle } = sortTopologically(instances, (instance) => edges.get(instance) ?? []);
    const [first] = cycle;
    if (first !== undefined) {
        problems.push({
            instance: first,
            message: `plugins need each other in a circle: ${[...cycle, first].map(({ id }) => id).join(' -> ')}`,
        });
    }
    return { order, problems };
}
/** Whether the instance is optional itself, or needs one that is: then the server may run without it. */
export function mayBeLeftOut({ optional, definition }, instances) {
    if (optional)
        return true;
    const needed = new Set(Object.values(definition.needs ?? {}).map(({ id }) => id));
    return instances.some((other) => Object.values(other.definition.provides ?? {}).some(({ id }) => needed.has(id)) &&
        mayBeLeftOut(other, instances));
}
/** Depth first in the given order, so that ties keep it; the first circle that is met, in the direction of need. */
function sortTopologically(items, before) {
    const order = [];
    const done = new Set();
    const trail = [];
    let cycle = [];
    const visit = (item) => {
        if (done.has(item))
            return;
        const at = trail.indexOf(item);
        if (at !== -1) {
            if (cycle.length === 0)
                cycle = trail.slice(at);
            return;
        }
        trail.push(item);
        before(item).forEach(visit);
        trail.pop();
        done.add(item);
        order.push(item);
    };
    items.forEach(visit);
    return { order, cycle };
}
//# sourceMappingURL=plan.js.map