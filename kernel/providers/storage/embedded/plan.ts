/** Chooses how a filter and a sort are served: by id, by a range of an index, or by looking at every document. */
import type { QueryPlan } from '../../../sdk/storage.js';
import { combine, demands, implies, type Demand, type Demands } from './bounds.js';
import type { CollectionDefinition, IndexDefinition } from './catalog.js';
import type { Range } from './environment.js';
import { encodeBound, encodeId, encodePart, invert, prefix, successor } from './key-encoding.js';
import { rank } from './order.js';
import type { SortKey } from './sort.js';

export type Plan = {
  /** Whether the documents come in the order that was asked for. */
  readonly ordered: boolean;
} & (
  | { readonly access: 'ids'; readonly ids: readonly string[]; readonly exact: boolean }
  | { readonly access: 'documents'; readonly range: Range; readonly all: boolean }
  | IndexPlan
  /** What one plan or another finds: the branches of an `$or`. */
  | { readonly access: 'union'; readonly plans: readonly Plan[] }
);

export interface IndexPlan {
  readonly access: 'index';
  readonly index: IndexDefinition;
  readonly runs: readonly Run[];
  /** Whether the order is that of all runs together, to be merged; otherwise they follow each other. */
  readonly merged: boolean;
  /** Whether a document may be found twice. */
  readonly repeats: boolean;
  /** Whether the entries are exactly the filter's matches. */
  readonly exact: boolean;
}

/** A range of an index, and how many bytes at the beginning of its keys are alike. */
export interface Run {
  readonly range: Range;
  readonly alike: number;
}

/** More points than this and an index is left at its last path with fewer. */
const MOST_RANGES = 1000;

export function plan(
  collection: CollectionDefinition,
  filter: object,
  sort: readonly SortKey[],
  limited: boolean,
): Plan {
  const wanted = demands(filter);
  const byId = planIds(collection, wanted, sort);
  if (byId?.access === 'ids') return byId;
  let best: Plan | undefined;
  let bestWorth = 0;
  for (const index of collection.indexes) {
    if (!usable(index, wanted)) continue;
    const candidate = planIndex(collection, index, wanted, sort, limited);
    if (candidate.worth > bestWorth) [best, bestWorth] = [candidate.plan, candidate.worth];
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
      return { access: 'index', index: plan.index.name, sort: order };
    case 'union': {
      const { access, index } = describe(plan.plans[0]!, []);
      return { access, index, sort: order };
    }
  }
}

function scan(collection: CollectionDefinition, sort: readonly SortKey[]): Plan {
  const [first] = sort;
  const ordered = sort.length === 0 || (first!.path === '_id' && !collection.longIds);
  const range = wholeCollection(collection, ordered && first?.direction === -1);
  return { access: 'documents', range, all: true, ordered };
}

export function wholeCollection({ number }: CollectionDefinition, reverse = false): Range {
  return { start: prefix(number), end: prefix(number + 1), reverse };
}

export function wholeIndex({ number }: IndexDefinition): Range {
  return { start: prefix(number), end: prefix(number + 1) };
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
  const bounded: (Demand | undefined)[] = [];
  let prefixes: Buffer[] = [prefix(index.number)];
  let runs: Run[] | undefined;
  let worth = 0;
  for (const [at, path] of index.pathNames.entries()) {
    const demand = combine(wanted.byPath.get(path) ?? [], (index.multikey & (1 << at)) !== 0);
    if (demand === undefined) break;
    if ('points' in demand) {
      if (prefixes.length * demand.points.length > MOST_RANGES) break;
      prefixes = prefixes.flatMap((start) => extend(start, demand.points, index, at));
      worth += 4;
    } else {
      runs = prefixes.map((start) => ({ range: between(start, demand, index, at), alike: start.length }));
      worth += 2;
    }
    bounded.push(demand);
    if (runs !== undefined) break;
  }
  runs ??= prefixes.map((start) => ({
    range: { start, end: successor(start) },
    alike: start.length,
  }));
  runs.sort((a, b) => Buffer.compare(a.range.start, b.range.start));
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
  if (ordered && sort.length > 0) worth += limited ? 3 : 1;
  if (bounded.length === index.paths.length && index.spec.unique === true) worth += 1;
  return {
    plan: {
      access: 'index',
      index,
      runs: direction === -1 ? runs.map(backwards).reverse() : runs,
      merged,
      repeats: index.multikey !== 0,
      exact: isExact(index, wanted, bounded.length),
      ordered,
    },
    worth,
  };
}

function backwards({ range, alike }: Run): Run {
  return { range: { ...range, reverse: true }, alike };
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
  const types = new Set(
    list.map((demand) => ('points' in demand ? undefined : rank((demand.lower ?? demand.upper)!.value))),
  );
  return list.length === 1 || (types.size === 1 && !types.has(undefined));
}

function extend(start: Buffer, points: readonly unknown[], index: IndexDefinition, at: number): Buffer[] {
  const keys = points.map((point) =>
    Buffer.concat([start, encodePart(point, index.directions[at]!, index.paths.length).bytes]),
  );
  return [...new Map(keys.map((key) => [key.toString('latin1'), key])).values()];
}

function between(
  start: Buffer,
  { lower, upper }: Extract<Demand, { lower: unknown }>,
  index: IndexDefinition,
  at: number,
): Range {
  const direction = index.directions[at]!;
  const type = Buffer.from([rank((lower ?? upper)!.value)]);
  const bound = (limit: typeof lower): { bytes: Buffer; inclusive: boolean } => {
    if (limit === undefined) return { bytes: direction === 1 ? type : invert(type), inclusive: true };
    const { bytes, truncated } = encodeBound(limit.value, direction, index.paths.length);
    return { bytes, inclusive: limit.inclusive || truncated };
  };
  const [first, last] = direction === 1 ? [bound(lower), bound(upper)] : [bound(upper), bound(lower)];
  const from = Buffer.concat([start, first.bytes]);
  const to = Buffer.concat([start, last.bytes]);
  return { start: first.inclusive ? from : successor(from), end: last.inclusive ? successor(to) : to };
}

/**
 * In which direction the index gives the order; undefined when it does not. `withinRuns`: whether each run by
 * itself does, in which a path with several points has one.
 */
function orderOf(
  collection: CollectionDefinition,
  index: IndexDefinition,
  bounded: readonly (Demand | undefined)[],
  sort: readonly SortKey[],
  withinRuns: boolean,
): 1 | -1 | undefined {
  if (index.truncated) return undefined;
  let direction: 1 | -1 | undefined;
  const agrees = (turn: 1 | -1): boolean => (direction ??= turn) === turn;
  const isConstant = (at: number): boolean => {
    const demand = bounded[at];
    if (demand === undefined || !('points' in demand)) return false;
    // Among an array's items the point need not be the one that decides the order.
    const sorted = sort.some(({ path }) => path === index.pathNames[at]);
    return sorted
      ? demand.points.length === 1 && !hasArrays(index, at)
      : withinRuns || demand.points.length === 1;
  };
  const constants = new Set(index.pathNames.filter((_, at) => isConstant(at)));
  const remaining = sort.filter(({ path }) => !constants.has(path));
  let at = 0;
  for (const { path, direction: wantedDirection } of remaining) {
    while (at < index.paths.length && constants.has(index.pathNames[at]!)) at++;
    if (at < index.paths.length && index.pathNames[at] === path) {
      // A bound on an array's items hides the item that decides the order.
      const hidden = bounded.some((demand, place) => demand !== undefined && hasArrays(index, place));
      if (hasArrays(index, at) && hidden) return undefined;
      if (!agrees((wantedDirection * index.directions[at]!) as 1 | -1)) return undefined;
      at++;
    } else if (path === '_id' && at === index.paths.length) {
      // In a unique index no two entries tie; elsewhere ties are in the order of the id.
      if (
        index.spec.unique !== true &&
        (collection.longIds || !agrees((wantedDirection * index.directions.at(-1)!) as 1 | -1))
      )
        return undefined;
      break;
    } else {
      return undefined;
    }
  }
  // Several ranges follow each other in order only when they bound the paths that are sorted by.
  const points = bounded.findIndex(
    (demand, place) => demand !== undefined && 'points' in demand && !isConstant(place),
  );
  if (points >= 0 && remaining.length > 0 && !sortsBy(remaining, index, points, constants)) return undefined;
  return direction ?? 1;
}

/** Whether the path at `place` is among those sorted by before any later one. */
function sortsBy(
  sort: readonly SortKey[],
  index: IndexDefinition,
  place: number,
  constants: ReadonlySet<string>,
): boolean {
  const order = index.pathNames.slice(0, place + 1).filter((path) => !constants.has(path));
  return order.every((path, at) => sort[at]?.path === path);
}

function hasArrays(index: IndexDefinition, at: number): boolean {
  return (index.multikey & (1 << at)) !== 0;
}
