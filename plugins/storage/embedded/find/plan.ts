/** Chooses how a filter and a sort are served: by id, by a range of an index, or by looking at every document. */
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
  /** Whether the documents come in the order that was asked for. */
  readonly ordered: boolean;
} & (
  | { readonly access: 'ids'; readonly ids: readonly string[]; readonly exact: boolean }
  | { readonly access: 'documents'; readonly range: Range; readonly all: boolean }
  | IndexPlan
  | KeysPlan
  /** What one plan or another finds: the branches of an `$or`. */
  | { readonly access: 'union'; readonly plans: readonly Plan[] }
);

export interface IndexPlan {
  readonly access: 'index';
  readonly index: IndexDefinition;
  readonly runs: readonly Run[];
  /** More runs, each of other items of the same array: only what all of them have is found. */
  readonly others?: readonly Run[];
  /** Whether the order is that of all runs together, to be merged; otherwise they follow each other. */
  readonly merged: boolean;
  /** Whether a document may be found twice. */
  readonly repeats: boolean;
  /** Whether the entries are exactly the filter's matches. */
  readonly exact: boolean;
  /** Reads from the entries what the query reads of the documents, where they have it. */
  readonly cover?: Cover;
}

/** The documents with these values in a unique index of one path; numbers or strings, so that equal ones are alike. */
export interface KeysPlan {
  readonly access: 'keys';
  readonly index: IndexDefinition;
  readonly values: readonly (string | number)[];
  /** Whether they are exactly the filter's matches. */
  readonly exact: boolean;
}

/** What it is worth that the documents need not be looked up: it chooses between indexes that find the same. */
const COVERED = 0.5;

/** Keys that are looked up one by one at once. */
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

/** Serves each branch of an `$or` by itself; undefined when one of them would look at every document. */
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

/** Every document, in the order of the ids where that is asked for. */
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
  // Ids are not ended in their keys: what follows an id at once is the id and a zero byte.
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

/** Whether the index holds every document that the filter can match. */
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

/** The keys that a filter asks for and nothing else, however many they are. */
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

/** What a unique index of one path is asked for by its whole keys; undefined for anything else. */
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

/** Whether the bounds on the first paths are all that the filter demands, and the entries hold whole values. */
function isExact(index: IndexDefinition, wanted: Demands, paths: number): boolean {
  return (
    wanted.complete &&
    index.multikey === 0 &&
    !index.truncated &&
    wanted.byPath.size === paths &&
    [...wanted.byPath.values()].every(isOneDemand)
  );
}

/** Several limits are one demand when they are of one type. */
function isOneDemand(list: readonly Demand[]): boolean {
  if (list.length === 1) return true;
  const types = new Set(
    list.map((demand) => ('points' in demand ? undefined : rank((demand.lower ?? demand.upper)!.value))),
  );
  return types.size === 1 && !types.has(undefined);
}
