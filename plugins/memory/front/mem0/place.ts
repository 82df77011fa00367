/** Shared by the routes of mem0's API. */
import type { Auth, limited, Request } from 'plugboard/sdk';
import type { Reach } from '../api/owner.js';
import type { Mem0Memories } from './memories.js';

export interface Mem0Place {
  /** One of the URLs under which a path is served. */
  at(path: string): string;
  readonly hooks: ReturnType<typeof limited>;
  readonly config: { readonly hidden: boolean };
  readonly auth: Auth;
  readonly mem0: Mem0Memories;
  reachOf(request: Request): Reach;
}
