/** Whether a principal may do what needs a scope. */
import type { Auth } from '../../sdk/auth.js';

export const allows: Auth['allows'] = ({ scopes }, scope) => scopes.includes(scope) || scopes.includes('*');
