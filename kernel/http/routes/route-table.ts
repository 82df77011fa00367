/** The routes of a server: which plugin owns which, and the answer to a request without one. */
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Instance } from '../../boot/plan/order.js';
import type { ServiceError } from '../../sdk/http/errors.js';
import type { Routes } from '../../sdk/http/routes.js';
import { kernelErrors } from '../errors.js';
import { KnownPaths } from './known-paths.js';
import { ownerOf, setOwner } from './owner.js';
import { pathBehind, pathOf } from '../paths.js';

export interface MountedRoute {
  /** The id of the instance that mounted it. */
  readonly owner: string;
  readonly method: string;
  readonly path: string;
}

/** Characters of a path that an error repeats. */
const LONGEST_PATH = 200;

export class RouteTable {
  /** In the order of mounting. */
  readonly mounted: MountedRoute[] = [];
  readonly #paths = new KnownPaths();
  /** Plugins that recognise their clients on any path. */
  readonly #recognising: Instance[] = [];

  /**
   * Records every route that is mounted on `app` from now on, and gives each request its path relative to the prefix.
   */
  follow(app: Routes): void {
    const add = (method: string, path: string, instance: Instance | undefined): void => {
      this.#paths.add(method, path, instance);
      if (instance !== undefined) this.mounted.push({ owner: instance.id, method, path });
    };
    app.addHook('onRoute', function ({ method, url }) {
      // CORS has a route for every path: an unknown path would seem to have another method.
      if (url !== '*') for (const one of [method].flat()) add(one, url, ownerOf(this)?.instance);
    });
    // On the prototype of all requests: the plugin of a route is known only when the getter runs.
    app.decorateRequest('path', {
      getter() {
        return pathBehind(ownerOf(this.server)?.instance.prefix ?? '', pathOf(this.url));
      },
    });
  }

  /** Makes an encapsulated scope the plugin's. */
  enter(scope: Routes, instance: Instance, log: FastifyBaseLogger): void {
    if (instance.definition.clients !== undefined) this.#recognising.push(instance);
    setOwner(scope, { instance, log });
  }

  /**
   * The plugin that answers: the route's; else the one that recognises the client, nearest to the path first; else the
   * nearest.
   */
  answering({ is404, server, headers, url }: FastifyRequest): Instance | undefined {
    const owner = is404 ? undefined : ownerOf(server)?.instance;
    if (owner !== undefined) return owner;
    const nearest = this.#paths.instanceOf(pathOf(url));
    const recognises = ({ definition }: Instance): boolean => definition.clients?.recognise(headers) === true;
    if (nearest !== undefined && recognises(nearest)) return nearest;
    return this.#recognising.find(recognises) ?? nearest;
  }

  /** The error for a request without a route. */
  missing(request: FastifyRequest): ServiceError {
    const { method, headers } = request;
    const path = pathOf(request.url);
    const shown = path.length <= LONGEST_PATH ? path : `${path.slice(0, LONGEST_PATH)}...`;
    const methods = this.#paths.methodsOf(path);
    const values = { method, path: shown, allowed: methods.join(', ') };
    if (methods.length === 0) {
      const client = this.answering(request)?.definition.clients;
      if (client?.unknownRoute !== undefined && client.recognise(headers))
        return client.unknownRoute({ method, path: shown, headers });
    }
    // A route with this method may call `callNotFound`, as for a missing file.
    return methods.length === 0 || methods.includes(method)
      ? kernelErrors.not_found({ values })
      : kernelErrors.method_not_allowed({ values, headers: { allow: values.allowed } });
  }
}
