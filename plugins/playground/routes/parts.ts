/** Shared by the routes of stored objects. */
import type { Request } from 'plugboard/sdk';
import type { Kept } from '../people.js';

export interface KeptRoutes extends Kept {
  /** The guard of stored objects. */
  readonly core: object;
  owner(request: Request): string;
}
