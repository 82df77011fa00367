/** What the routes of what is kept have in common. */
import type { Request } from 'plugboard/sdk';
import type { Kept } from '../people.js';

export interface KeptRoutes extends Kept {
  /** The guard of what is kept. */
  readonly core: object;
  owner(request: Request): string;
}
