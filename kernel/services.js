/**
 * Dependency injection: one tsyringe container per plugin, which holds instances only and nothing that the
 * plugin did not declare. A shared parent would leak: a singleton first resolved in a child keeps the child's
 * overrides, and unregistered classes are built silently.
 */
import 'reflect-metadata';
import { container as base } from 'tsyringe';
import { SCOPED } from './sdk/token.js';
export class Services {
    #instances = new Map();
    provide(token, instance) {
        this.#instances.set(token.id, instance);
    }
    has(token) {
        return this.#instances.has(token.id);
    }
    /** The service behind a token as `pluginId` sees it; undefined when nobody provides it. */
    get(token, pluginId) {
        const instance = this.#instances.get(token.id);
        return (isScoped(instance) ? instance[SCOPED](pluginId) : instance);
    }
    /** What the plugin declared, by the names it gave, and a container with the same under their tokens. */
    inject(pluginId, definition) {
        const child = base.createChildContainer();
        const pick = (tokens = {}) => {
            const picked = {};
            for (const [name, token] of Object.entries(tokens)) {
                if (!this.has(token))
                    continue;
                picked[name] = this.get(token, pluginId);
                child.register(token.key, { useValue: picked[name] });
            }
            return picked;
        };
        return { needs: pick(definition.needs), wants: pick(definition.wants), container: asContainer(child) };
    }
}
function asContainer(child) {
    return { resolve: (constructor) => child.resolve(constructor) };
}
function isScoped(value) {
    return typeof value === 'object' && value !== null && SCOPED in value;
}
//# sourceMappingURL=services.js.map