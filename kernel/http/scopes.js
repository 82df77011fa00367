/** Which plugin a path without a route belongs to, and which methods a path has. */
import Router, {} from 'find-my-way';
/**
 * Knows every route that was mounted. A request without a route is answered in the dialect of the plugin whose
 * routes share the most leading path segments with it: `/api/memory/x/y` belongs to the plugin of `/api/memory`.
 */
export class RouteScopes {
    #router = Router();
    #methods = new Set();
    #prefixes = new Map();
    add(method, path, instance) {
        const verb = method;
        this.#methods.add(verb);
        if (!this.#router.hasRoute(verb, path))
            this.#router.on(verb, path, ignore);
        if (instance === undefined)
            return;
        let prefix = '';
        for (const segment of path.split('/').slice(1)) {
            if (/[:*]/.test(segment))
                break;
            prefix += `/${segment}`;
            // The first plugin keeps a segment that several share; a longer path decides between them.
            if (!this.#prefixes.has(prefix))
                this.#prefixes.set(prefix, instance);
        }
    }
    /** The plugin nearest to a path; undefined where no plugin has a route with the same first segment. */
    instanceOf(path) {
        for (let prefix = path; prefix !== ''; prefix = prefix.slice(0, prefix.lastIndexOf('/'))) {
            const instance = this.#prefixes.get(prefix);
            if (instance !== undefined)
                return instance;
        }
        return undefined;
    }
    /** The methods that the path has, sorted; empty for an unknown path. */
    methodsOf(path) {
        return [...this.#methods].filter((method) => this.#find(method, path)).toSorted();
    }
    #find(method, path) {
        try {
            return this.#router.find(method, path) !== null;
        }
        catch {
            return false;
        }
    }
}
function ignore() {
    // The router is only asked whether it has a path.
}
//# sourceMappingURL=scopes.js.map