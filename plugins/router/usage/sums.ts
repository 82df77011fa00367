/** What is added up of usage: the same for one call, for a day's total and for the answer. */
import type { UsageRecord } from './record.js';

const SUMMED = [
  'calls',
  /** Calls that ended in an error, of the 4xx kind too. */
  'errors',
  'tokensIn',
  'tokensOut',
  'tokensCached',
  'tokensCacheWritten',
  'tokensReasoning',
  /** Our estimates for calls whose upstream did not report it. */
  'estimatedIn',
  'estimatedOut',
  /** Calls of which the upstream did not say all that they took. */
  'unmetered',
  /** US dollars. */
  'cost',
  /** Calls that took tokens of which no price is known. */
  'unpriced',
] as const;

export type UsageSums = Record<(typeof SUMMED)[number], number>;

/** What sums are kept apart by. */
export interface UsageOwner {
  /** UTC, e.g. 2026-01-31. */
  readonly day: string;
  readonly key: string;
  readonly model: string;
  /** Null when no upstream served the calls. */
  readonly upstream: string | null;
}

export type UsageEntry = UsageOwner & UsageSums;

export function noUsage(): UsageSums {
  return Object.fromEntries(SUMMED.map((name) => [name, 0])) as UsageSums;
}

/** `more` may be from a store, and lack what was not summed when it was written. */
export function addUsage(sums: UsageSums, more: Partial<UsageSums>): void {
  for (const name of SUMMED) sums[name] += more[name] ?? 0;
}

/** What one call adds. */
export function usageOf(call: UsageRecord): UsageSums {
  return {
    calls: 1,
    errors: call.errorCode === null ? 0 : 1,
    tokensIn: call.tokensIn ?? 0,
    tokensOut: call.tokensOut ?? 0,
    tokensCached: call.tokensCached ?? 0,
    tokensCacheWritten: call.tokensCacheWritten ?? 0,
    tokensReasoning: call.tokensReasoning ?? 0,
    estimatedIn: call.estimatedIn ?? 0,
    estimatedOut: call.estimatedOut ?? 0,
    cost: call.cost ?? 0,
    unpriced: call.cost === null ? 1 : 0,
    unmetered: call.tokensIn === null || call.estimatedOut !== null ? 1 : 0,
  };
}

export function ownerOf({ at, key, model, upstream }: UsageRecord): UsageOwner {
  return { day: dayOf(at), key, model, upstream };
}

export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
