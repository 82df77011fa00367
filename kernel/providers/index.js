import { AUTH, ERRORS, SECRETS, STORAGE } from '../sdk/tokens.js';
/** A slot may need those behind it. */
export const slots = [
    {
        name: 'auth',
        default: 'local',
        provides: [AUTH, SECRETS],
        always: false,
        builtins: { local: () => import('./auth/index.js') },
    },
    {
        name: 'storage',
        default: 'embedded',
        provides: [STORAGE],
        always: false,
        builtins: {
            embedded: () => import('./storage/embedded/index.js'),
            mongodb: () => import('./storage/mongodb/index.js'),
            'memory-server': () => import('./storage/memory-server/index.js'),
        },
    },
    {
        name: 'errors',
        default: 'standard',
        provides: [ERRORS],
        always: true,
        builtins: { standard: () => import('./errors/index.js') },
    },
];
//# sourceMappingURL=index.js.map