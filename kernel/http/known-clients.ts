/** Which plugin answers a request that no route has: the one that knows its client, else the one nearest to the path. */
import type { FastifyRequest } from 'fastify';
import type { Instance } from '../plan.js';

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
