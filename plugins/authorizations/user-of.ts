/** The user whose authorizations are requested. */
import type { Auth, Request } from 'plugboard/sdk';

/** On a route for login and password: the user's number. */
export function userOf(auth: Auth, request: Request): number {
  const principal = auth.principal(request);
  if (principal.kind !== 'user') throw new TypeError('the guard lets users in alone');
  return principal.user.id;
}
