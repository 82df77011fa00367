/** A write's request and result. */
import type { Changes, Clock, Transaction } from 'plugboard/sdk';
import type { Budget } from '../base/budget.js';
import type { Catalog, Relation } from '../catalog/model.js';
import type { Output } from '../plan/level.js';
import type { PlanLimits } from '../plan/plan.js';
import type { Query } from '../query/query.js';
import type { ReadContext } from '../read/context.js';
import type { RowStore } from '../rows/row-store.js';
import type { StoredRow } from '../values/stored.js';
import type { SeenCache } from '../plan/seen-cache.js';
import type { References } from './references.js';
import type { RowCheck } from './row-constraints.js';
import type { RowsBody } from './rows.js';

/** What a write needs to know of the catalog. */
export interface WriteSchema {
  readonly catalog: Catalog;
  readonly cache: SeenCache;
  readonly references: References;
  readonly checks: (table: Relation) => readonly RowCheck[];
}

export interface WriteContext {
  readonly state: WriteSchema;
  readonly store: RowStore;
  readonly clock: Clock;
  readonly changes: Changes | undefined;
  readonly limits: PlanLimits;
  readonly call: ReadContext['call'];
  readonly budget: Budget;
}

export interface WriteRequest {
  readonly verb: 'insert' | 'update' | 'delete' | 'put';
  readonly relation: Relation;
  readonly query: Query;
  /** The rows to write, read on demand. */
  readonly body: () => Promise<RowsBody>;
  /** A missing key gets the column's default instead of null. */
  readonly missingDefault: boolean;
  /** What happens to existing rows. */
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | undefined;
  /** Whether the rows are returned. */
  readonly represents: boolean;
  /** Whether the keys of the rows are returned. */
  readonly locates: boolean;
  /** More rows than this are not changed or deleted (SVC124). */
  readonly maxAffected: number | undefined;
  /** Exactly one row must be touched, or nothing is stored (SVC116). */
  readonly single: boolean;
  readonly stripNulls: boolean;
  /** Everything is done, answered, undone. */
  readonly rollback: boolean;
  /** The rows are a person's who is erased: recorded changes of them are deleted too. */
  readonly erases?: true;
  /** What else is stored together with the rows, or not at all. */
  readonly alongside?: ((tx: Transaction) => Promise<unknown>) | undefined;
}

export interface Written {
  readonly affected: number;
  readonly inserted: number;
  /** JSON texts of the rows, if a representation was requested. */
  readonly rows: readonly string[];
  /** Their members. */
  readonly output: readonly Output[];
  readonly stored: readonly StoredRow[];
}
