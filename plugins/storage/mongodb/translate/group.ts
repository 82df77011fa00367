/** Translates the port's grouping to aggregation stages, and the results back. */
import { MinKey, type ClientSession, type Collection, type Document as DriverDocument } from 'mongodb';
import type { Fold, Group, Grouping } from 'plugboard/sdk';
import { AS_BYTES, fromBytes } from './values.js';

/** Groups per batch. */
const BATCH = 1000;

/** The groups of the matching documents. `documents` is a collection for calls with `AS_BYTES`. */
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

/** `_id` has the values of the group; `0`, `1` and so on are the folds. */
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
 * A condition that every value meets. With it MongoDB answers from a sparse index whose first member is in the filter,
 * without reading documents, in a fifth less time. Any other bound, such as the smallest number, makes mongod seek each
 * entry by itself, which takes longer than reading the documents.
 */
function allPresent(filter: DriverDocument, { present = [] }: Grouping): DriverDocument | undefined {
  const [first, ...others] = present;
  if (first === undefined || !Object.hasOwn(filter, first)) return undefined;
  const unsaid = others.filter((member) => !Object.hasOwn(filter, member));
  if (unsaid.length === 0) return undefined;
  return Object.fromEntries(unsaid.map((member) => [member, { $gte: new MinKey() }]));
}

/** A document as the group key takes MongoDB three times as long as a single value, for which missing means null. */
function sharedBy(by: readonly string[]): unknown {
  if (by.length === 0) return null;
  if (by.length === 1) return `$${by[0]}`;
  return Object.fromEntries(by.map((member, at) => [String(at), { $ifNull: [`$${member}`, null] }]));
}

function accumulator({ fold, of }: Fold): DriverDocument {
  const value = `$${of}`;
  // Sorting puts missing values before null.
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

/** Sums of int32 may become int64, which decodes as a bigint. */
function asNumber(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

/** Documents, in id order, that are searched for the first one of each group. */
const LOOKS = 1000;
/** The mean number of documents per group found among them. */
const LEAST = 5;

/**
 * Whether the groups are so large that the first documents include one of each group. Finding the first document of
 * each group while grouping takes four times as long as grouping alone.
 */
function areMetSoon(groups: readonly Group[]): boolean {
  const all = groups.reduce((sum, { count }) => sum + count, 0);
  return groups.every(({ count }) => count * LOOKS >= LEAST * all);
}

/** The groups in order of first occurrence; undefined if one does not occur, or cannot be recognised by its value. */
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
