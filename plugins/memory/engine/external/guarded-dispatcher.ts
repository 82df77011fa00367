/** Connections that refuse a forbidden address at the moment of connecting, so that no answer of DNS slips through. */
import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { Agent } from 'undici';
import { addressProblem, ForbiddenAddress } from './host.js';

export type Resolve = (
  hostname: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const systemResolve: Resolve = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, callback);

/** `resolve` is replaced by tests alone. A name with one forbidden address among good ones is refused. */
export function guardedDispatcher(allowPrivate: boolean, resolve: Resolve = systemResolve): Agent {
  return new Agent({
    keepAliveTimeout: 10_000,
    connections: 8,
    connect: {
      lookup: (hostname, options, callback) =>
        resolve(hostname, options, (error, addresses) => {
          if (error !== null) return callback(error, '', 0);
          for (const { address } of addresses) {
            const problem = addressProblem(address, allowPrivate);
            if (problem !== null) return callback(new ForbiddenAddress(problem), '', 0);
          }
          const [first] = addresses;
          if (options.all === true) (callback as unknown as AllAddresses)(null, addresses);
          else callback(null, first?.address ?? '', first?.family ?? 0);
        }),
    },
  });
}

type AllAddresses = (error: null, addresses: LookupAddress[]) => void;
