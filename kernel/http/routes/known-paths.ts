/** Which plugin a path without a route belongs to, and which methods a path has. */
import Router, { type HTTPMethod } from 'find-my-way';
import type { Instance } from '../../boot/plan/order.js';

/**
 * Knows every route that was mounted. A request without a route is answered in the dialect of the plugin whose
 * routes share the most leading path segments with it: `/api/memory/x/y` belongs to the plugin of `/api/memory`.
 */
export class KnownPaths {
  readonly #router = Router();
  readonly #methods = new Set<HTTPMethod>();
  readonly #prefixes = new Map<string, Instance>();
  /** Segments of the longest prefix: a request may bring thousands. */
  #depth = 0;

  add(method: string, path: string, instance: Instance | undefined): void {
    const verb = method as HTTPMethod;
    this.#methods.add(verb);
    if (!this.#router.hasRoute(verb, path)) this.#router.on(verb, path, ignore);
    if (instance === undefined) return;
    let prefix = '';
    let depth = 0;
    for (const segment of path.split('/').slice(1)) {
      if (/[:*]/.test(segment)) break;
      prefix += `/${segment}`;
      depth += 1;
      this.#depth = Math.max(this.#depth, depth);
      // The first plugin keeps a segment that several share; a longer path decides between them.
      if (!this.#prefixes.has(prefix)) this.#prefixes.set(prefix, instance);
    }
  }

  /** The plugin nearest to a path; undefined where no plugin has a route with the same first segment. */
  instanceOf(path: string): Instance | undefined {
    let nearest: Instance | undefined;
    let prefix = '';
    for (const segment of path.split('/', this.#depth + 1).slice(1)) {
      prefix += `/${segment}`;
      nearest = this.#prefixes.get(prefix) ?? nearest;
    }
    return nearest;
  }

  /** The methods that the path has, sorted; empty for an unknown path. */
  methodsOf(path: string): string[] {
    return [...this.#methods].filter((method) => this.#find(method, path)).toSorted();
  }

  #find(method: HTTPMethod, path: string): boolean {
    try {
      return this.#router.find(method, path) !== null;
    } catch {
      return false;
    }
  }
}

function ignore(): void {
  // The router is only used to look up paths.
}
