/** From a principal to a caller as policies and grants know it. */
import type { Auth, Guard, Principal, Request } from 'plugboard/sdk';
import type { Caller } from './engine/policies/caller.js';

/** The scope that is above policies and grants. */
export const BYPASS = 'data:bypass';

/** Of `auth: none`. */
const ANYBODY: Caller = { roles: ['anon'], claims: {}, bypasses: false, anonymous: true };

export interface Callers {
  /** Of a request that has passed its guard. */
  of(request: Request): Caller;
  /** Judges it again for reading, or other headers in the place of its own. Throws what the guard would answer. */
  again(request: Request, headers?: Request['headers']): Promise<Caller>;
}

/** Everybody: of `auth: none`. */
export const ANYBODYS: Callers = { of: () => ANYBODY, again: () => Promise.resolve(ANYBODY) };

export function callersOf(auth: Auth, reading: Guard): Callers {
  const callerOf = (principal: Principal): Caller => ({
    roles: rolesOf(principal),
    claims: principal.kind === 'person' ? principal.claims : {},
    bypasses: auth.allows(principal, BYPASS),
    anonymous: principal.kind === 'anonymous',
  });
  return {
    of: (request) => callerOf(auth.principal(request)),
    again: async (request, headers) => callerOf(await auth.identify(reading, request, headers)),
  };
}

/** Roles come from tokens; an API key is a service, which grants name like any other. */
function rolesOf(principal: Principal): readonly string[] {
  switch (principal.kind) {
    case 'key':
      return ['service'];
    case 'person':
      return principal.roles;
    case 'anonymous':
      return [principal.role ?? 'anon'];
    default:
      return [];
  }
}
