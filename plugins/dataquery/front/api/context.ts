/** What every request needs: the catalog in force, the rows, and the configured limits. */
import type { Changes, Clock } from 'plugboard/sdk';
import type { Budget } from '../../engine/base/budget.js';
import type { PlanLimits } from '../../engine/plan/plan.js';
import type { RowStore } from '../../engine/rows/row-store.js';
import type { SchemaState } from '../../engine/schema/schema-state.js';
import type { ReadContext } from '../../engine/read/context.js';
import type { Preferences } from '../http/preferences.js';

/** How a write's transaction ends, and whether `Prefer: tx` may override it. */
export type TransactionEnd = 'commit' | 'commit-allow-override' | 'rollback' | 'rollback-allow-override';

export interface ApiContext {
  /** The same for a whole request: a reload meanwhile does not change what its names mean. */
  readonly state: SchemaState;
  readonly store: RowStore;
  readonly clock: Clock;
  readonly changes: Changes | undefined;
  readonly limits: PlanLimits;
  /** Rows per body, at most. */
  readonly maxWriteRows: number;
  /** This request's budget. */
  readonly budget: Budget;
  readonly call: ReadContext['call'];
  readonly transactionEnd: TransactionEnd;
  /** Whether `GET /` describes the API. */
  readonly describes: boolean;
  /** The path of the API, without a trailing slash. */
  readonly basePath: string;
}

/** The context of a request that prefers a time zone. */
export function inPreferredZone(context: ApiContext, { timeZone }: Preferences): ApiContext {
  if (timeZone === context.state.catalog.timeZone) return context;
  return { ...context, state: context.state.inZone(timeZone) };
}

export function readContext({ state, store, call, limits, budget }: ApiContext): ReadContext {
  return { cache: state.cache, collection: store.collection, call, limits, budget };
}

export function mayChooseEnd({ transactionEnd }: ApiContext): boolean {
  return transactionEnd.endsWith('-allow-override');
}

export function rollsBack(context: ApiContext, { tx }: Preferences): boolean {
  const chosen = mayChooseEnd(context) ? tx : undefined;
  return chosen === undefined ? context.transactionEnd.startsWith('rollback') : chosen === 'rollback';
}
