/** Whether a principal has a scope, and the two scopes for the server itself. */
import type { Auth } from 'plugboard/sdk';

/** Opens the management routes. */
export const MANAGE = 'manage';
/** Includes all scopes, also of plugins enabled later. */
export const ALL = '*';

export const allows: Auth['allows'] = ({ scopes }, scope) => scopes.includes(scope) || scopes.includes(ALL);
