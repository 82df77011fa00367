/** Connections that refuse a forbidden address at the moment of connecting, so that no answer of DNS slips through. */
import { guardedLookup, type Resolve } from 'plugboard/sdk';
import { Agent } from 'undici';

/** `resolve` is replaced by tests alone. A name with one forbidden address among good ones is refused. */
export function guardedDispatcher(allowPrivate: boolean, resolve?: Resolve): Agent {
  return new Agent({
    keepAliveTimeout: 10_000,
    connections: 8,
    connect: { lookup: guardedLookup(allowPrivate, resolve) },
  });
}
