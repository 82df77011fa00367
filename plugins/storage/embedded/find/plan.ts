/** Chooses the plan for a filter and a sort: by id, by index ranges, or a full scan. */
import type { QueryPlan } from 'plugboard/sdk';
import { combine, demands, implies, type Demand, type Demands } from './bounds.js';
import { covers, type Cover } from './cover.js';
import type { CollectionDefinition, IndexDefinition } from '../definition.js';
import type { Range } from '../lmdb/key-space.js';
import { orderOf } from './index-order.js';
import { encodeId, prefix } from '../values/key-encoding.js';
import { rank } from '../../order.js';
import { wholeCollection } from './ranges.js';
import { boundedRuns, otherItems, type Run } from './runs.js';
import type { SortKey } from './sort.js';

export type Plan = {
  /** Whether the plan provides the requested order. */
  readonly ordered: boolean;
} & (
  | { readonly access: 'ids'; readonly ids: readonly string[]; readonly exact: boolean }
  | { readonly access: 'documents'; readonly range: Range; readonly all: boolean }
  | IndexPlan
  | KeysPlan
  /** A union of plans: the branches of an `$or`. */
  | { readonly access: 'union'; readonly plans: readonly Plan[] }
);

export interface IndexPlan {
  readonly access: 'index';
  readonly index: IndexDefinition;
  readonly runs: readonly Run[];
  /** Further runs, for other items of the same array, to intersect with. */
  readonly others?: readonly Run[];
  /** Whether the runs must be merged for the order; otherwise they are read one after another. */
  readonly merged: boolean;
  /** Whether a document may occur twice. */
  readonly repeats: boolean;
  /** Whether the entries are exactly the filter's matches. */
  readonly exact: boolean;
  /** Restores the members that the query reads from the entries, if they have them. */
  readonly cover?: Cover;
}

/** Lookups by value in a unique index on one path; numbers or strings, whose equality is plain. */
export interface KeysPlan {
  readonly access: 'keys';
  readonly index: IndexDefinition;
  readonly values: readonly (string | number)[];
  /** Whether the candidates are exactly the matches of the filter. */
  readonly exact: boolean;
}

/** The bonus for a covering index; decides between indexes that find the same documents. */
const COVERED = 0.5;

/** Most keys that a plan looks up one by one. */
const MOST_KEYS = 1_000;

interface Reading {
  /** The members that the query reads; undefined: all. */
  readonly read?: ReadonlySet<string> | undefined;
  /** Members that every match has. */
  readonly present?: readonly string[] | undefined;
}

export function plan(
  collection: CollectionDefinition,
  filter: object,
  sort: readonly SortKey[],
  limited: boolean,
  { read, present = [] }: Reading = {},
): Plan {
  const wanted = demands(filter, present);
  const byId = planIds(collection, wanted, sort);
  if (byId?.access === 'ids') return byId;
  let best: Plan | undefined;
  let bestWorth = 0;
  for (const index of collection.complete) {
    const [first] = index.pathNames;
    if (!wanted.byPath.has(first!) && sort[0]?.path !== first && !present.includes(first!)) continue;
    if (!usable(index, wanted)) continue;
    const candidate = planIndex(collection, index, wanted, sort, limited);
    const worth = candidate.worth + (read !== undefined && covers(index, read) ? COVERED : 0);
    if (worth > bestWorth) [best, bestWorth] = [candidate.plan, worth];
  }
  if (byId !== undefined && bestWorth < 2) return byId;
  return best ?? union(collection, filter, sort) ?? scan(collection, sort);
}

/** Plans each branch of an `$or`; undefined if one of them needs a full scan. */
function union(collection: CollectionDefinition, filter: object, sort: readonly SortKey[]): Plan | undefined {
  const { $or: branches, ...rest } = filter as { $or?: readonly object[] };
  if (branches === undefined) return undefined;
  const plans: Plan[] = [];
  for (const branch of branches) {
    const part = plan(collection, { $and: [rest, branch] }, [], false);
    if (part.access === 'documents' && part.all) return undefined;
    plans.push(part);
  }
  return { access: 'union', plans, ordered: sort.length === 0 };
}

export function describe(plan: Plan, sort: readonly SortKey[]): QueryPlan {
  const order = sort.length === 0 ? 'none' : plan.ordered ? 'index' : 'memory';
  switch (plan.access) {
    case 'ids':
      return { access: 'id', index: null, sort: order };
    case 'documents':
      return {
        access: plan.all && !(plan.ordered && sort.length > 0) ? 'scan' : 'id',
        index: null,
        sort: order,
      };
    case 'index':
    case 'keys':
      return { access: 'index', index: plan.index.name, sort: order };
    case 'union': {
      const { access, index } = describe(plan.plans[0]!, []);
      return { access, index, sort: order };
    }
  }
}

/** A full scan, in id order if requested. */
export function scan(collection: CollectionDefinition, sort: readonly SortKey[]): Plan {
  const [first] = sort;
  const ordered = sort.length === 0 || (first!.path === '_id' && !collection.longIds);
  const range = wholeCollection(collection, ordered && first?.direction === -1);
  return { access: 'documents', range, all: true, ordered };
}

function planIds(
  collection: CollectionDefinition,
  wanted: Demands,
  sort: readonly SortKey[],
): Plan | undefined {
  const demand = combine(wanted.byPath.get('_id') ?? [], false);
  if (demand === undefined) return undefined;
  if ('points' in demand) {
    const ids = [...new Set(demand.points.filter((point) => typeof point === 'string'))];
    const exact = wanted.complete && wanted.byPath.size === 1 && wanted.byPath.get('_id')!.length === 1;
    return { access: 'ids', ids, exact, ordered: sort.length === 0 || ids.length < 2 };
  }
  const limit = demand.lower ?? demand.upper;
  if (typeof limit?.value !== 'string' || collection.longIds) return undefined;
  const { ordered, range } = scan(collection, sort) as Extract<Plan, { access: 'documents' }>;
  const at = (value: unknown): Buffer => prefix(collection.number, encodeId(value as string));
  // Ids have no terminator in their keys: the successor of an id is the id plus a zero byte.
  const behind = (key: Buffer): Buffer => Buffer.concat([key, Buffer.from([0])]);
  const { lower, upper } = demand;
  return {
    access: 'documents',
    range: {
      start: lower === undefined ? range.start : lower.inclusive ? at(lower.value) : behind(at(lower.value)),
      end: upper === undefined ? range.end : upper.inclusive ? behind(at(upper.value)) : at(upper.value),
      reverse: range.reverse === true,
    },
    all: false,
    ordered,
  };
}

/** Whether the index has every document that can match the filter. */
function usable(index: IndexDefinition, wanted: Demands): boolean {
  if (index.spec.partial !== undefined && !implies(wanted, index.spec.partial)) return false;
  return index.spec.sparse !== true || index.pathNames.every((path) => wanted.existing.has(path));
}

function planIndex(
  collection: CollectionDefinition,
  index: IndexDefinition,
  wanted: Demands,
  sort: readonly SortKey[],
  limited: boolean,
): { readonly plan: Plan; readonly worth: number } {
  const values = keyValues(index, wanted, MOST_KEYS);
  if (values !== undefined && (sort.length === 0 || values.length < 2)) {
    const exact = isExact(index, wanted, 1);
    return {
      plan: { access: 'keys', index, values, exact, ordered: true },
      worth: sort.length === 0 ? 5 : 8,
    };
  }
  const { bounded, runs, worth: found } = boundedRuns(index, wanted);
  let worth = found;
  let direction: 1 | -1 | undefined = 1;
  let merged = false;
  if (sort.length > 0) {
    direction = orderOf(collection, index, bounded, sort, false);
    if (direction === undefined && runs.length > 1) {
      direction = orderOf(collection, index, bounded, sort, true);
      merged = direction !== undefined;
    }
  }
  const ordered = direction !== undefined;
  const others = runs.length === 1 ? otherItems(collection, index, wanted) : [];
  if (ordered && sort.length > 0) worth += limited ? 3 : 1;
  if (bounded.length === index.paths.length && index.spec.unique === true) worth += 1;
  return {
    plan: {
      access: 'index',
      index,
      runs: direction === -1 ? runs.map(backwards).reverse() : runs,
      ...(others.length > 0 && { others: direction === -1 ? others.map(backwards) : others }),
      merged,
      repeats: index.multikey !== 0,
      exact: isExact(index, wanted, bounded.length),
      ordered,
    },
    worth,
  };
}

/** The keys of a filter that consists of nothing else, however many there are. */
export function manyKeys(
  collection: CollectionDefinition,
  filter: object,
): Pick<KeysPlan, 'index' | 'values'> | undefined {
  const wanted = demands(filter);
  for (const index of collection.complete) {
    if (index.spec.unique !== true || !usable(index, wanted) || !isExact(index, wanted, 1)) continue;
    const values = keyValues(index, wanted, Infinity);
    if (values !== undefined) return { index, values };
  }
  return undefined;
}

/** The values to look up in a unique index on one path by complete keys; undefined otherwise. */
function keyValues(index: IndexDefinition, wanted: Demands, most: number): KeysPlan['values'] | undefined {
  if (index.spec.unique !== true || index.paths.length > 1 || index.multikey !== 0) return undefined;
  const demand = combine(wanted.byPath.get(index.pathNames[0]!) ?? [], false);
  if (demand === undefined || !('points' in demand) || demand.points.length > most) return undefined;
  const { points } = demand;
  if (areAll(points, isNumber)) return [...new Set(points)];
  return areAll(points, isString) ? [...new Set(points)] : undefined;
}

function areAll<T>(values: readonly unknown[], is: (value: unknown) => value is T): values is readonly T[] {
  return values.every(is);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function backwards(run: Run): Run {
  return { ...run, range: { ...run.range, reverse: true } };
}

/** Whether the bounds on the first paths are equivalent to the filter, and the entries have untruncated values. */
function isExact(index: IndexDefinition, wanted: Demands, paths: number): boolean {
  return (
    wanted.complete &&
    index.multikey === 0 &&
    !index.truncated &&
    wanted.byPath.size === paths &&
    [...wanted.byPath.values()].every(isOneDemand)
  );
}

/** Limits of one type combine into one demand. */
function isOneDemand(list: readonly Demand[]): boolean {
  if (list.length === 1) return true;
  const types = new Set(
    list.map((demand) => ('points' in demand ? undefined : rank((demand.lower ?? demand.upper)!.value))),
  );
  return types.size === 1 && !types.has(undefined);
}
