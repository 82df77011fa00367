/** The named slots of `providers` in the config file and what can fill them, imported when it is used. */
import type { Builtins } from '../load.js';
import type { Token } from '../sdk/token.js';
import { AUTH, ERRORS, JOBS, SECRETS, STORAGE } from '../sdk/tokens.js';

export interface Slot {
  readonly name: 'jobs' | 'auth' | 'storage' | 'errors';
  /** Used when the file does not say. */
  readonly default: string;
  /** What a filler must provide at least. */
  readonly provides: readonly Token<unknown>[];
  /** Set up also when no plugin asks for it. */
  readonly always: boolean;
  readonly builtins: Builtins;
}

/** A slot may need those behind it. */
export const slots: readonly Slot[] = [
  {
    name: 'jobs',
    default: 'stored',
    provides: [JOBS],
    always: false,
    builtins: { stored: () => import('./jobs/index.js') },
  },
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
