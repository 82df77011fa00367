/** The paths of mem0's clients, which only have to change `host`. */
import {
  limited,
  ownerOf,
  type Auth,
  type RateLimitCategory,
  type Request,
  type Routes,
} from 'plugboard/sdk';
import type { Reach } from '../api/owner.js';
import { SCOPE } from '../chat/recall.js';
import { mem0BatchRoutes } from './batch-routes.js';
import { mem0EntityRoutes } from './entity-routes.js';
import type { Mem0Memories } from './memories.js';
import { mem0MemoryRoutes } from './memory-routes.js';

export interface Mem0Routes {
  readonly auth: Auth;
  readonly limit: RateLimitCategory | undefined;
  readonly mem0: Mem0Memories;
}

export function mem0Routes(app: Routes, { auth, limit, mem0 }: Mem0Routes): void {
  const hooks = limited(auth.guard('bearer', { scope: SCOPE }), limit);
  /** Every caller is a tenant, including those with the scope `manage`. */
  const reachOf = (request: Request): Reach => {
    const caller = auth.principal(request);
    const owner = ownerOf(caller);
    return caller.kind === 'person' ? { owner, user: caller.id } : { owner };
  };
  const addresses: ((path: string) => string)[] = [
    (path) => path,
    (path) => `${path}/`,
    // The JavaScript client sends this if its host ends in a slash.
    (path) => `/${path}/`,
  ];
  for (const [which, at] of addresses.entries()) {
    const place = { at, hooks, config: { hidden: which > 0 }, auth, mem0, reachOf };
    mem0MemoryRoutes(app, place);
    mem0BatchRoutes(app, place);
    mem0EntityRoutes(app, place);
  }
}
