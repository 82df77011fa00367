/** The sums of usage that `GET /api/usage` answers. */
import type { Range } from './range.js';
import { addUsage, noUsage, type UsageEntry, type UsageSums } from './sums.js';

export type UsageGroup = 'model' | 'key' | 'day' | 'upstream';

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
  entries: AsyncIterable<UsageEntry>,
  { from, to }: Range,
  group: UsageGroup,
): Promise<UsageSummary> {
  const groups = new Map<string, UsageSums>();
  const total = noUsage();
  for await (const entry of entries) {
    const name = entry[group] ?? 'none';
    let sums = groups.get(name);
    if (sums === undefined) groups.set(name, (sums = noUsage()));
    addUsage(sums, entry);
    addUsage(total, entry);
  }
  const data = Array.from(groups, ([name, sums]) => ({ name, ...sums })).toSorted(
    (a, b) => (group === 'day' ? 0 : b.calls - a.calls) || (a.name < b.name ? -1 : 1),
  );
  return { from: from.toISOString(), to: to.toISOString(), group, data, total };
}
