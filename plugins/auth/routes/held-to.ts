/** Whose keys and sessions a caller may reach on routes that also accept members. */
import type { Auth, Request } from 'plugboard/sdk';
import { allows, MANAGE } from '../allows.js';

/** The number of the user to whom a member is restricted; undefined for callers who may reach all. */
export function heldTo(auth: Pick<Auth, 'principal'>, request: Request): number | undefined {
  const principal = auth.principal(request);
  return allows(principal, MANAGE) || principal.kind !== 'session' ? undefined : principal.user?.id;
}
