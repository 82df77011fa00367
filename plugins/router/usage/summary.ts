/** The sums of usage that `GET /api/usage` answers. */
import { errors } from '../errors.js';
import { matches, type CallFilter } from './calls.js';
import type { Range } from './range.js';
import type { UsageRecord } from './record.js';
import type { UsageStore } from './store.js';
import { addUsage, noUsage, usageOf, type UsageSums } from './sums.js';

/** The groups by which the daily totals are split. */
const TOTALLED = ['model', 'key', 'day', 'upstream'] as const;
/** Further groups, which only the records of calls have; those are all read. */
const RECORDED = ['hour', 'person', 'tag', 'purpose', 'route', 'status'] as const;

export const GROUPS = [...TOTALLED, ...RECORDED] as const;
export type UsageGroup = (typeof GROUPS)[number];
type Totalled = (typeof TOTALLED)[number];

export interface UsageSummary {
  /** The half-open range, as date-times. */
  from: string;
  to: string;
  group: UsageGroup;
  /** Most calls first; days and hours in order. */
  data: (UsageSums & { name: string })[];
  total: UsageSums;
}

/** Records of calls that one request reads. */
const MOST_READ = 1_000_000;

export async function summarize(
  store: UsageStore,
  range: Range,
  { group, ...filter }: CallFilter & { readonly group: UsageGroup },
  now: number,
): Promise<UsageSummary> {
  const groups = new Map<string, UsageSums>();
  const total = noUsage();
  const add = (names: readonly string[], sums: Partial<UsageSums>): void => {
    for (const name of names) {
      let known = groups.get(name);
      if (known === undefined) groups.set(name, (known = noUsage()));
      addUsage(known, sums);
    }
    addUsage(total, sums);
  };
  if (isTotalled(group))
    for await (const entry of store.between(range, now)) {
      if (matches(filter, entry)) add([entry[group] ?? 'none'], entry);
    }
  else {
    let read = 0;
    for await (const call of store.callsBetween(range)) {
      if ((read += 1) > MOST_READ) throw tooMany();
      if (matches(filter, call)) add(namesOf(call, group), usageOf(call));
    }
  }
  const isOrdered = group === 'day' || group === 'hour';
  const data = Array.from(groups, ([name, sums]) => ({ name, ...sums })).toSorted(
    (a, b) => (isOrdered ? 0 : b.calls - a.calls) || (a.name < b.name ? -1 : 1),
  );
  return { from: range.from.toISOString(), to: range.to.toISOString(), group, data, total };
}

function isTotalled(group: UsageGroup): group is Totalled {
  return (TOTALLED as readonly string[]).includes(group);
}

/** A call counts in each of its tags. */
function namesOf(call: UsageRecord, group: Exclude<UsageGroup, Totalled>): readonly string[] {
  switch (group) {
    case 'hour':
      return [`${call.at.toISOString().slice(0, 13)}:00:00Z`];
    case 'tag':
      return call.tags?.split(',') ?? ['none'];
    case 'status':
      return [String(call.status)];
    case 'person':
    case 'purpose':
    case 'route':
      return [call[group] ?? 'none'];
  }
}

function tooMany(): Error {
  const message = `more than ${MOST_READ} calls are in this range; ask for less of it, or group by day, model, key or upstream`;
  return errors.invalid_request({ values: { message }, param: 'from' });
}
