/** What reading needs besides the request. */
import type { Collection } from 'plugboard/sdk';
import type { Budget } from '../base/budget.js';
import type { CatalogFunction, Relation } from '../catalog/model.js';
import type { PlanLimits } from '../plan/plan.js';
import type { SeenCache } from '../plan/seen-cache.js';
import type { StoredRow } from '../values/stored.js';
import type { Lookups } from './access/access.js';

export interface ReadContext {
  readonly cache: SeenCache;
  /** The collection of a table or stored view; inside a write, the one of its transaction. */
  readonly collection: (relation: Relation) => Collection<StoredRow>;
  /** Calls an exported function of a trusted module; the arguments are JSON values. */
  readonly call: (called: CatalogFunction, args: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly limits: PlanLimits;
  /** Within one read: the lookups of its embeds' conditions on related rows. */
  readonly lookups?: Lookups;
  /** What is left of the request's rows, characters and time. */
  readonly budget: Budget;
}
