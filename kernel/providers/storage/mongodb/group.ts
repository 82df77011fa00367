/** The port's groups as stages of an aggregation, and back. */
import type { Document as DriverDocument } from 'mongodb';
import type { Fold, Group, Grouping } from '../../../sdk/index.js';

/** `_id` holds the values that a group shares, `0` and so on the folds. */
export function groupStages(filter: DriverDocument, grouping: Grouping): DriverDocument[] {
  const { by, folds = [], limit, inAnyOrder } = grouping;
  const isOrdered = by.length > 0 && inAnyOrder !== true;
  const made = folds.map((fold, at) => [String(at), accumulator(fold)] as const);
  return [
    { $match: filter },
    {
      $group: {
        _id: sharedBy(by),
        // Where no order is asked for, an index without the ids may hold all that it takes.
        ...(isOrdered && { first: { $min: '$_id' } }),
        count: { $sum: 1 },
        ...Object.fromEntries(made),
      },
    },
    ...(isOrdered ? [{ $sort: { first: 1 } }] : []),
    ...(limit === undefined ? [] : [{ $limit: limit }]),
  ];
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

export function groupOf(document: { readonly [name: string]: unknown }, { by, folds = [] }: Grouping): Group {
  const shared = document['_id'];
  const values = shared as Readonly<Record<string, unknown>>;
  return {
    by: by.length === 1 ? [shared ?? null] : by.map((_, at) => values[String(at)] ?? null),
    count: asNumber(document['count']) as number,
    folds: folds.map(({ fold }, at) => {
      const value = document[String(at)] ?? null;
      return fold === 'count' || fold === 'sum' ? asNumber(value) : value;
    }),
  };
}

/** Sums of 32 bits grow to 64, which are read as a bigint. */
function asNumber(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
