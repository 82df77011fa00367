export function queryPlan(explained, sorted) {
    const winning = explained['queryPlanner']?.['winningPlan'];
    const stages = [...stagesOf(winning ?? {})];
    const has = (name) => stages.some(({ stage }) => stage === name);
    const scan = stages.find(({ stage }) => stage === 'IXSCAN');
    const paths = Object.keys(scan?.['keyPattern'] ?? {}).join(',');
    const byId = has('IDHACK') || paths === '_id';
    return {
        access: byId ? 'id' : scan === undefined ? 'scan' : 'index',
        index: byId || scan === undefined ? null : paths,
        sort: !sorted ? 'none' : has('SORT') ? 'memory' : 'index',
    };
}
/** From the top down, on any depth; a sharded or slot-based plan nests its stages one level deeper. */
function* stagesOf(plan) {
    if (typeof plan['stage'] === 'string')
        yield plan;
    for (const value of Object.values(plan)) {
        if (typeof value === 'object' && value !== null)
            yield* stagesOf(value);
    }
}
//# sourceMappingURL=explain.js.map