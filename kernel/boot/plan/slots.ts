/** The named slots of `providers` in the config file, and what must fill them. */
import type { Builtins } from './load.js';
import type { Token } from '../../sdk/plugin/token.js';
import { AUDIT, AUTH, DIRECTORY, ERRORS, JOBS, SECRETS, STORAGE } from '../../sdk/services/tokens.js';

type SlotName = 'jobs' | 'auth' | 'directory' | 'secrets' | 'audit' | 'storage' | 'errors';

export interface Slot {
  readonly name: SlotName;
  /** What a filler must provide at least. */
  readonly provides: readonly Token<unknown>[];
  /** Set up also when no plugin asks for it. */
  readonly always: boolean;
}

/** A slot may need those after it. */
export const slots: readonly Slot[] = [
  { name: 'jobs', provides: [JOBS], always: false },
  { name: 'auth', provides: [AUTH], always: false },
  { name: 'directory', provides: [DIRECTORY], always: false },
  { name: 'secrets', provides: [SECRETS], always: false },
  { name: 'audit', provides: [AUDIT], always: false },
  { name: 'storage', provides: [STORAGE], always: false },
  { name: 'errors', provides: [ERRORS], always: true },
];

/** What comes with the server and is not the kernel. */
export interface BuiltIns {
  readonly plugins: Builtins;
  /** What can fill a slot, and the default. */
  readonly providers: Readonly<Record<SlotName, { readonly default: string; readonly fillers: Builtins }>>;
}
