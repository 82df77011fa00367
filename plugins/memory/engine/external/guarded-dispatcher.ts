/** Connections that check the resolved address when they connect, so that DNS cannot bypass the check. */
import { guardedLookup, type Resolve } from 'plugboard/sdk';
import { Agent } from 'undici';

/** Of one answer; the points of a search take some hundred kilobytes. */
const MOST_BYTES = 16_000_000;

/** Only tests replace `resolve`. A name with one forbidden address is refused. */
export function guardedDispatcher(allowPrivate: boolean, resolve?: Resolve): Agent {
  return new Agent({
    keepAliveTimeout: 10_000,
    connections: 8,
    maxResponseSize: MOST_BYTES,
    connect: { lookup: guardedLookup(allowPrivate, resolve) },
  });
}
