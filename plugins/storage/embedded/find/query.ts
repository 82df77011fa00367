/** A query, checked and planned over one collection. */
import { type FindOptions, type QueryPlan, StorageError } from 'plugboard/sdk';
import { isPlainObject } from '../../bson/value.js';
import { Cover, covers } from './cover.js';
import type { CollectionDefinition } from '../definition.js';
import { expires, isExpired } from '../expiry.js';
import { shownMembers, testedMembers } from './members.js';
import { planLookup } from './lookup.js';
import { describe, plan, type Plan } from './plan.js';
import { compile, type Predicate } from '../filter/predicate.js';
import { compileProjection, type Project } from './projection.js';
import { ALL, membersOf, type Members } from '../../bson/shape.js';
import { sortKeys, type SortKey } from './sort.js';

export interface Query {
  readonly collection: CollectionDefinition;
  /** The options of the call. */
  readonly filter: object;
  readonly plan: Plan;
  /** The conditions that the plan does not guarantee, on the members `tested`; undefined if every candidate matches. */
  readonly matches: Predicate | undefined;
  readonly tested: Members;
  readonly sort: readonly SortKey[];
  readonly skip: number;
  readonly limit: number;
  readonly project: Project | undefined;
  readonly shown: Members;
  /** Whether cached documents are returned without a copy. */
  readonly shared: boolean;
}

/** What the caller knows about a query beyond its filter and options. */
export interface Known {
  /** The members that the caller reads, without a projection. */
  readonly read?: readonly string[] | undefined;
  /** Members that every match has. */
  readonly present?: readonly string[] | undefined;
}

/** Checks and plans a query. Throws `invalid`. */
export function prepare(
  collection: CollectionDefinition,
  filter: object,
  options: FindOptions,
  now: number,
  { read, present }: Known = {},
): Query {
  const { skip = 0, limit, shared = false } = options;
  if (!isPlainObject(filter)) throw new StorageError('invalid', 'a filter is an object');
  if (!Number.isInteger(skip) || skip < 0)
    throw new StorageError('invalid', 'skip takes an integer of at least 0');
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 1))
    throw new StorageError('invalid', 'limit takes an integer of at least 1');
  const sort = sortKeys(options.sort);
  const lookup = sort.length === 0 ? planLookup(collection, filter) : undefined;
  // Compiled even where the plan covers the whole filter: compiling validates it.
  const matches = lookup === undefined || expires(collection) ? compile(filter) : undefined;
  const projection = compileProjection(options.projection);
  const kept = read ?? projection?.kept;
  const chosen =
    lookup ??
    plan(collection, filter, sort, limit !== undefined, {
      read: kept === undefined ? undefined : readAtMost(collection, filter, kept, sort),
      present,
    });
  const shown = shownMembers(kept, chosen.ordered ? [] : sort);
  const rest = remainder(collection, filter, matches, chosen, now);
  const names = rest.matches === undefined ? shown.names : both(shown, rest.tested);
  const cover = coverOf(chosen, names);
  return {
    collection,
    filter,
    plan: cover === undefined ? chosen : ({ ...chosen, cover } as Plan),
    ...rest,
    sort,
    skip,
    limit: limit ?? Infinity,
    project:
      shared || (kept !== undefined && isExactly(cover === undefined ? shown.names : names, kept))
        ? undefined
        : projection?.project,
    shown,
    shared,
  };
}

/** Undefined: all. */
type Names = ReadonlySet<string> | undefined;

/** The members to read if the plan serves neither filter nor order. */
function readAtMost(
  collection: CollectionDefinition,
  filter: object,
  kept: readonly string[],
  sort: readonly SortKey[],
): Names {
  return both(shownMembers(kept, sort), testedMembers(collection, filter));
}

function both(a: Members, b: Members): Names {
  return a.names === undefined || b.names === undefined ? undefined : new Set([...a.names, ...b.names]);
}

/** Undefined if the entries lack a member that is read. */
function coverOf(chosen: Plan, names: Names): Cover | undefined {
  if (chosen.access !== 'index' || chosen.merged || chosen.repeats || names === undefined) return undefined;
  return covers(chosen.index, names) ? new Cover(chosen.index, names) : undefined;
}

/** Whether the projection keeps exactly the members that are read. */
function isExactly(names: Names, kept: readonly string[]): boolean {
  return names?.size === kept.length && kept.every((path) => names.has(path));
}

function remainder(
  collection: CollectionDefinition,
  filter: object,
  matches: Predicate | undefined,
  chosen: Plan,
  now: number,
): Pick<Query, 'matches' | 'tested'> {
  const exact = 'exact' in chosen ? chosen.exact : Object.keys(filter).length === 0;
  const mayExpire = expires(collection);
  if (matches === undefined || (exact && !mayExpire)) return { matches: undefined, tested: ALL };
  const tested = testedMembers(collection, filter);
  if (!mayExpire) return { matches, tested };
  return { matches: (document) => !isExpired(collection, document, now) && matches(document), tested };
}

export function explain(query: Query): QueryPlan {
  return describe(query.plan, query.sort);
}

const NO_MEMBERS = membersOf([]);

/** The query for callers that only count, or read only some members. */
export function showing(query: Query, members: Members = NO_MEMBERS): Query {
  return { ...query, shown: members };
}
