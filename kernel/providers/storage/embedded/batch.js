import { learnNow } from './documents.js';
import { Overlay } from './overlay.js';
export class WriteBatch extends Overlay {
    now;
    #traits = new Map();
    #log = [];
    constructor(below, now) {
        super(below);
        this.now = now;
    }
    learn(collection, trait) {
        const traits = this.#traits.get(collection.name) ?? [];
        traits.push(trait);
        this.#traits.set(collection.name, traits);
        for (const index of collection.indexes)
            if ('index' in trait && trait.index === index.number)
                learnNow(index, trait);
    }
    log(collection, id, document) {
        this.#log.push({ collection, id, document });
    }
    /** Runs a part of the job; when it throws, nothing of that part stays. */
    attempt(part) {
        const inner = new WriteBatch(this, this.now);
        const result = part(inner);
        inner.apply(this);
        for (const [name, traits] of inner.#traits)
            this.#traits.set(name, [...(this.#traits.get(name) ?? []), ...traits]);
        this.#log.push(...inner.#log);
        return result;
    }
    /** Hands everything to the write transaction. */
    commit(writer, catalog, changes) {
        this.apply(writer);
        for (const [name, traits] of this.#traits)
            catalog.learn(writer, name, traits);
        if (this.#traits.size > 0)
            catalog.refresh(writer);
        for (const { collection, id, document } of this.#log)
            if (catalog.collection(collection.name).logged)
                changes.append(writer, collection.number, id, document);
    }
}
//# sourceMappingURL=batch.js.map