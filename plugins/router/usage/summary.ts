/** Sums of usage records for `GET /api/usage`. */
import type { Collection, Filter } from 'plugboard/sdk';
import type { UsageRecord } from './record.js';

export type UsageGroup = 'model' | 'key' | 'day' | 'upstream';

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

export interface UsageSummary {
  /** The half-open range, as date-times. */
  from: string;
  to: string;
  group: UsageGroup;
  /** Most calls first; days in order. */
  data: (UsageSums & { name: string })[];
  total: UsageSums;
}

export async function summarize(
  records: Collection<UsageRecord>,
  { from, to, group }: { from: Date; to: Date; group: UsageGroup },
): Promise<UsageSummary> {
  const groups = new Map<string, UsageSums>();
  const total = noUsage();
  const filter: Filter<UsageRecord> = { at: { $gte: from, $lt: to } };
  for await (const record of records.find(filter, { projection: READ })) {
    const name = nameOf(record, group);
    let sums = groups.get(name);
    if (sums === undefined) groups.set(name, (sums = noUsage()));
    add(sums, record);
    add(total, record);
  }
  const data = Array.from(groups, ([name, sums]) => ({ name, ...sums })).toSorted(
    (a, b) => (group === 'day' ? 0 : b.calls - a.calls) || (a.name < b.name ? -1 : 1),
  );
  return { from: from.toISOString(), to: to.toISOString(), group, data, total };
}

const READ = {
  at: 1,
  key: 1,
  model: 1,
  upstream: 1,
  errorCode: 1,
  tokensIn: 1,
  tokensOut: 1,
  tokensCached: 1,
} as const;

function nameOf(record: UsageRecord, group: UsageGroup): string {
  return group === 'day' ? record.at.toISOString().slice(0, 10) : (record[group] ?? 'none');
}

function add(sums: UsageSums, record: UsageRecord): void {
  sums.calls += 1;
  if (record.errorCode !== null) sums.errors += 1;
  sums.tokensIn += record.tokensIn ?? 0;
  sums.tokensOut += record.tokensOut ?? 0;
  sums.tokensCached += record.tokensCached ?? 0;
  if (record.tokensIn === null) sums.unmetered += 1;
}

function noUsage(): UsageSums {
  return { calls: 0, errors: 0, tokensIn: 0, tokensOut: 0, tokensCached: 0, unmetered: 0 };
}
