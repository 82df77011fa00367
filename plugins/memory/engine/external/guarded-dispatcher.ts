/** Connections that check the resolved address when they connect, so that DNS cannot bypass the check. */
import { guardedLookup, type Resolve } from 'plugboard/sdk';
import { Agent } from 'undici';

/** Only tests replace `resolve`. A name with one forbidden address is refused. */
export function guardedDispatcher(allowPrivate: boolean, resolve?: Resolve): Agent {
  return new Agent({
    keepAliveTimeout: 10_000,
    connections: 8,
    connect: { lookup: guardedLookup(allowPrivate, resolve) },
  });
}
