/** The named slots of `providers` in the config file and what can fill them, imported when it is used. */
import type { Token } from '../sdk/token.js';
import { AUTH, ERRORS, STORAGE } from '../sdk/tokens.js';
import type { Builtins } from '../load.js';

export interface Slot {
  readonly name: 'errors' | 'storage' | 'auth';
  /** Used when the file does not say. */
  readonly default: string;
  /** What a filler must provide at least. */
  readonly provides: readonly Token<unknown>[];
}

export const slots: readonly Slot[] = [
  { name: 'errors', default: 'standard', provides: [ERRORS] },
  { name: 'storage', default: 'embedded', provides: [STORAGE] },
  { name: 'auth', default: 'local', provides: [AUTH] },
];

export const providers: Readonly<Record<Slot['name'], Builtins>> = {
  errors: { standard: () => import('./errors/index.js') },
  storage: {},
  auth: {},
};
