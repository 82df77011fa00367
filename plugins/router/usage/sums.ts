/** What is added up of usage: the same for one call, for a day's total and for the answer. */
import type { UsageRecord } from './record.js';

export interface UsageSums {
  calls: number;
  /** Calls that ended in an error, of the 4xx kind too. */
  errors: number;
  tokensIn: number;
  tokensOut: number;
  tokensCached: number;
  /** Calls of which the upstream did not say how many tokens they took. */
  unmetered: number;
}

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
  return { calls: 0, errors: 0, tokensIn: 0, tokensOut: 0, tokensCached: 0, unmetered: 0 };
}

export function addUsage(sums: UsageSums, more: UsageSums): void {
  sums.calls += more.calls;
  sums.errors += more.errors;
  sums.tokensIn += more.tokensIn;
  sums.tokensOut += more.tokensOut;
  sums.tokensCached += more.tokensCached;
  sums.unmetered += more.unmetered;
}

export function entryOf(record: UsageRecord): UsageEntry {
  const { at, key, model, upstream, errorCode, tokensIn, tokensOut, tokensCached } = record;
  return {
    day: dayOf(at),
    key,
    model,
    upstream,
    calls: 1,
    errors: errorCode === null ? 0 : 1,
    tokensIn: tokensIn ?? 0,
    tokensOut: tokensOut ?? 0,
    tokensCached: tokensCached ?? 0,
    unmetered: tokensIn === null ? 1 : 0,
  };
}

export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
