export class Overlay {
    #below;
    #changes = {
        documents: new Map(),
        indexes: new Map(),
        changes: new Map(),
        catalog: new Map(),
    };
    #sorted = {};
    constructor(below) {
        this.#below = below;
    }
    get(space, key) {
        const changes = this.#changes[space];
        if (changes.size > 0) {
            const change = changes.get(key.toString('latin1'));
            if (change !== undefined)
                return change.value ?? undefined;
        }
        return this.#below.get(space, key);
    }
    put(space, key, value) {
        this.#set(space, { key, value });
    }
    remove(space, key) {
        this.#set(space, { key, value: null });
    }
    #set(space, change) {
        delete this.#sorted[space];
        this.#changes[space].set(change.key.toString('latin1'), change);
    }
    range(space, range) {
        const below = this.#below.range(space, range);
        if (this.#changes[space].size === 0)
            return below;
        const own = this.#inOrder(space).filter(({ key }) => Buffer.compare(key, range.start) >= 0 && Buffer.compare(key, range.end) < 0);
        return merge(below, range.reverse ? own.reverse() : own, range.reverse ? -1 : 1);
    }
    #inOrder(space) {
        return (this.#sorted[space] ??= [...this.#changes[space].values()].sort((a, b) => Buffer.compare(a.key, b.key)));
    }
    /** Whether nothing was written. */
    get empty() {
        return Object.values(this.#changes).every((changes) => changes.size === 0);
    }
    keys(space) {
        return [...this.#changes[space].values()].map(({ key }) => key);
    }
    apply(writer) {
        for (const space of Object.keys(this.#changes))
            for (const { key, value } of this.#changes[space].values())
                if (value === null)
                    writer.remove(space, key);
                else
                    writer.put(space, key, value);
    }
}
/** Both in order; where both have a key the change counts. */
function* merge(below, changes, direction) {
    let at = 0;
    for (const entry of below) {
        let replaced = false;
        while (at < changes.length) {
            const change = changes[at];
            const order = Buffer.compare(change.key, entry.key) * direction;
            if (order > 0)
                break;
            at++;
            if (change.value !== null)
                yield { key: change.key, value: change.value };
            if (order === 0)
                replaced = true;
        }
        if (!replaced)
            yield entry;
    }
    for (; at < changes.length; at++) {
        const { key, value } = changes[at];
        if (value !== null)
            yield { key, value };
    }
}
//# sourceMappingURL=overlay.js.map