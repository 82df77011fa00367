/** Which plugin a path without a route belongs to, and which methods a path has. */
import type { FastifyRequest } from 'fastify';
import Router, { type HTTPMethod } from 'find-my-way';
import type { Instance } from '../../boot/plan/order.js';

export interface MountedRoute {
  /** The id of the instance that mounted it. */
  readonly owner: string;
  readonly method: string;
  readonly path: string;
}

/**
 * Knows every route that was mounted. A request without a route is answered in the dialect of the plugin whose
 * routes share the most leading path segments with it: `/api/memory/x/y` belongs to the plugin of `/api/memory`.
 */
export class RouteScopes {
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
  // The router is only asked whether it has a path.
}

/** Which plugin answers a request that no route has: the one that knows its client, else the one nearest to the path. */
export class KnownClients {
  readonly #instances: Instance[] = [];

  add(instance: Instance): void {
    if (instance.definition.clients !== undefined) this.#instances.push(instance);
  }

  /** `nearest` goes first where several plugins know the client; of the others the first one mounted. */
  answering({ headers }: FastifyRequest, nearest: Instance | undefined): Instance | undefined {
    const knows = ({ definition }: Instance): boolean => definition.clients?.recognise(headers) === true;
    if (nearest !== undefined && knows(nearest)) return nearest;
    return this.#instances.find(knows) ?? nearest;
  }
}
