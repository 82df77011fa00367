/** The port's groups as stages of aggregations, and back. */
import { MinKey, type ClientSession, type Collection, type Document as DriverDocument } from 'mongodb';
import type { Fold, Group, Grouping } from 'plugboard/sdk';
import { AS_BYTES, fromBytes } from './values.js';

/** Groups in one answer of the server. */
const BATCH = 1000;

/** The groups of the documents that pass. `documents` is a collection for calls with `AS_BYTES`. */
export async function grouped(
  documents: Collection<Uint8Array>,
  filter: DriverDocument,
  grouping: Grouping,
  session: { readonly session?: ClientSession },
): Promise<Group[]> {
  const { by, signal, inAnyOrder } = grouping;
  const options = { ...AS_BYTES, batchSize: BATCH, ...(signal && { signal }), ...session };
  const make = async (withFirst: boolean): Promise<Group[]> => {
    const stages = groupStages(filter, grouping, withFirst);
    const found = await documents.aggregate<Uint8Array>(stages, options).toArray();
    return found.map((bytes) => groupOf(membersOf(bytes), grouping));
  };
  const [member, ...others] = by;
  if (member === undefined || inAnyOrder === true) return make(false);
  if (others.length > 0) return make(true);
  const groups = await make(false);
  if (groups.length < 2) return groups;
  if (!areMetSoon(groups)) return make(true);
  const first = await documents
    .find(filter, { ...options, sort: { _id: 1 }, limit: LOOKS, projection: { [member]: 1 } })
    .toArray();
  return (
    inOrderOf(
      first.map((bytes) => membersOf(bytes)[member]),
      groups,
    ) ?? make(true)
  );
}

/** `_id` holds the values that a group shares, `0` and so on the folds. */
function groupStages(filter: DriverDocument, grouping: Grouping, withFirst: boolean): DriverDocument[] {
  const { by, folds = [], limit } = grouping;
  const covering = allPresent(filter, grouping);
  const made = folds.map((fold, at) => [String(at), accumulator(fold)] as const);
  return [
    { $match: covering === undefined ? filter : { $and: [filter, covering] } },
    {
      $group: {
        _id: sharedBy(by),
        ...(withFirst && { first: { $min: '$_id' } }),
        count: { $sum: 1 },
        ...Object.fromEntries(made),
      },
    },
    ...(withFirst ? [{ $sort: { first: 1 } }] : []),
    ...(limit === undefined ? [] : [{ $limit: limit }]),
  ];
}

/**
 * Said of a key whose first member the filter is about, so that the entries of its index, which lacks documents without
 * one of the members, are all that is read: a fifth less time. It is true of every value. Any other bound, as of the least
 * number, makes mongod look for each entry by itself, which takes longer than the documents.
 */
function allPresent(filter: DriverDocument, { present = [] }: Grouping): DriverDocument | undefined {
  const [first, ...others] = present;
  if (first === undefined || !Object.hasOwn(filter, first)) return undefined;
  const unsaid = others.filter((member) => !Object.hasOwn(filter, member));
  if (unsaid.length === 0) return undefined;
  return Object.fromEntries(unsaid.map((member) => [member, { $gte: new MinKey() }]));
}

/** A document for each group takes MongoDB three times as long as a single value, of which a missing one is null to it. */
function sharedBy(by: readonly string[]): unknown {
  if (by.length === 0) return null;
  if (by.length === 1) return `$${by[0]}`;
  return Object.fromEntries(by.map((member, at) => [String(at), { $ifNull: [`$${member}`, null] }]));
}

function accumulator({ fold, of }: Fold): DriverDocument {
  const value = `$${of}`;
  // An order puts what is missing below null.
  if (fold === 'count') return { $sum: { $cond: [{ $gt: [value, null] }, 1, 0] } };
  return { [`$${fold}`]: value };
}

function membersOf(bytes: Uint8Array): DriverDocument {
  return fromBytes(bytes) as unknown as DriverDocument;
}

function groupOf(document: DriverDocument, { by, folds = [] }: Grouping): Group {
  const shared: unknown = document['_id'];
  const values = shared as Readonly<Record<string, unknown>>;
  return {
    by: by.length === 1 ? [shared ?? null] : by.map((_, at) => values[String(at)] ?? null),
    count: asNumber(document['count']) as number,
    folds: folds.map(({ fold }, at) => {
      const value: unknown = document[String(at)] ?? null;
      return fold === 'count' || fold === 'sum' ? asNumber(value) : value;
    }),
  };
}

/** Sums of 32 bits grow to 64, which are read as a bigint. */
function asNumber(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

/** Documents in the order of their ids among which the first of each group is looked for. */
const LOOKS = 1000;
/** Of a group that is met among them, so many are there in the mean. */
const LEAST = 5;

/**
 * Whether each group has such a share of the documents that the first of all have one of each. To find the first of each
 * group while the groups are made takes four times as long as to make them.
 */
function areMetSoon(groups: readonly Group[]): boolean {
  const all = groups.reduce((sum, { count }) => sum + count, 0);
  return groups.every(({ count }) => count * LOOKS >= LEAST * all);
}

/** The groups in the order in which their values are met; undefined where one is not, or is not told by its value. */
function inOrderOf(met: readonly unknown[], groups: readonly Group[]): Group[] | undefined {
  const places = new Map<unknown, number>();
  for (const [place, value] of met.entries()) {
    const key = value ?? null;
    if (!places.has(key)) places.set(key, place);
  }
  const placed: { readonly group: Group; readonly place: number }[] = [];
  for (const group of groups) {
    const place = places.get(group.by[0]);
    if (place === undefined) return undefined;
    placed.push({ group, place });
  }
  return placed.sort((a, b) => a.place - b.place).map(({ group }) => group);
}
