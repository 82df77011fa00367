/** Whether a principal may do what needs a scope, and the two scopes that open the server itself. */
import type { Auth } from 'plugboard/sdk';

/** Opens the management routes. */
export const MANAGE = 'manage';
/** Holds all scopes, also those of plugins that are enabled later. */
export const ALL = '*';

export const allows: Auth['allows'] = ({ scopes }, scope) => scopes.includes(scope) || scopes.includes(ALL);
