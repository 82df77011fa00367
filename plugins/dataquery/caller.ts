/** From a principal to a caller as policies and grants know it. */
import { callerId, type Auth, type Guard, type Principal, type Request } from 'plugboard/sdk';
import type { Caller } from './engine/policies/caller.js';

/** The scope that bypasses policies and grants. */
export const BYPASS = 'data:bypass';

export interface Callers {
  /** For a request that has passed its guard. */
  of(request: Request): Caller;
  /** Checks the request again for reading, or with other headers. Throws what the guard would answer. */
  again(request: Request, headers?: Request['headers']): Promise<Caller>;
}

/** For `auth: none`: everybody. */
export const ANYBODYS: Callers = { of: anybody, again: (request) => Promise.resolve(anybody(request)) };

export function callersOf(auth: Auth, reading: Guard): Callers {
  const callerOf = (principal: Principal, { ip }: Request): Caller => ({
    id: callerId(principal, ip),
    roles: rolesOf(principal),
    claims: principal.kind === 'person' ? principal.claims : {},
    bypasses: auth.allows(principal, BYPASS),
    anonymous: principal.kind === 'anonymous',
  });
  return {
    of: (request) => callerOf(auth.principal(request), request),
    again: async (request, headers) => callerOf(await auth.identify(reading, request, headers), request),
  };
}

function anybody({ ip }: Request): Caller {
  const principal = { kind: 'anonymous', scopes: [] } as const;
  return {
    id: callerId(principal, ip),
    roles: rolesOf(principal),
    claims: {},
    bypasses: false,
    anonymous: true,
  };
}

/** Roles come from tokens; an API key is a service, which grants name like any role. */
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
