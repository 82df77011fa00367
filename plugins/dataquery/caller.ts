/** From a principal to a caller as policies and grants know it. */
import type { Auth, Principal, Request } from 'plugboard/sdk';
import type { Caller } from './engine/policies/caller.js';

/** The scope that is above policies and grants. */
export const BYPASS = 'data:bypass';

/** Of `auth: none`. */
const ANYBODY: Caller = { roles: ['anon'], claims: {}, bypasses: false, anonymous: true };

export type CallerOf = (request: Request) => Caller;

export function anybody(): Caller {
  return ANYBODY;
}

/** For routes with a guard. */
export function callersOf(auth: Auth): CallerOf {
  return (request) => {
    const principal = auth.principal(request);
    return {
      roles: rolesOf(principal),
      claims: principal.kind === 'person' ? principal.claims : {},
      bypasses: auth.allows(principal, BYPASS),
      anonymous: principal.kind === 'anonymous',
    };
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
