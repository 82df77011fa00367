/** Runs a plan over one state of the store: the matching, living documents in order. */
import { StorageError, type FindOptions, type QueryPlan } from '../../../sdk/storage.js';
import { decode, type Values } from './bson.js';
import type { CollectionDefinition } from './catalog.js';
import { documentKey } from './documents.js';
import type { Reader } from './environment.js';
import { expires, isExpired } from './expiry.js';
import { describe, plan, type Plan } from './plan.js';
import { compile, type Predicate } from './predicate.js';
import { compileProjection, type Project } from './projection.js';
import { sortKeys, Sorter, type SortKey } from './sort.js';

export interface Query {
  readonly collection: CollectionDefinition;
  readonly plan: Plan;
  readonly matches: Predicate;
  readonly sort: readonly SortKey[];
  readonly skip: number;
  readonly limit: number;
  readonly project: Project | undefined;
  readonly now: number;
}

/** Checks and plans a query. Throws `invalid`. */
export function prepare(
  collection: CollectionDefinition,
  filter: object,
  options: FindOptions,
  now: number,
): Query {
  const { skip = 0, limit } = options;
  if (!Number.isInteger(skip) || skip < 0)
    throw new StorageError('invalid', 'skip takes an integer of at least 0');
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 1))
    throw new StorageError('invalid', 'limit takes an integer of at least 1');
  const sort = sortKeys(options.sort);
  const matches = compile(filter);
  return {
    collection,
    plan: plan(collection, filter, sort, limit !== undefined),
    matches,
    sort,
    skip,
    limit: limit ?? Infinity,
    project: compileProjection(options.projection),
    now,
  };
}

export function explain(query: Query): QueryPlan {
  return describe(query.plan, query.sort);
}

/** `undefined` now and then: a place to let others have their turn. `scanned` is told how many were looked at. */
export function* run(
  reader: Reader,
  query: Query,
  scanned?: (count: number) => void,
): Generator<Values | undefined, void> {
  const { plan, skip, limit, project, sort } = query;
  const show = (document: Values): Values => (project === undefined ? document : project(document));
  if (!plan.ordered && sort.length > 0) {
    const sorter = new Sorter(sort, skip + limit);
    for (const document of matching(reader, query, scanned)) {
      if (document === undefined) yield undefined;
      else sorter.add(document);
    }
    for (const document of sorter.sorted().slice(skip)) yield show(document);
    return;
  }
  let at = 0;
  for (const document of matching(reader, query, scanned)) {
    if (document === undefined) yield undefined;
    else if (at++ >= skip) {
      yield show(document);
      if (at - skip >= limit) return;
    }
  }
}

const PAUSE_EVERY = 512;

function* matching(
  reader: Reader,
  query: Query,
  scanned?: (count: number) => void,
): Generator<Values | undefined> {
  const { collection, matches, now } = query;
  const mayExpire = expires(collection);
  let count = 0;
  for (const document of candidates(reader, collection, query.plan)) {
    if (++count % PAUSE_EVERY === 0) {
      scanned?.(count);
      yield undefined;
    }
    if (matches(document) && !(mayExpire && isExpired(collection, document, now))) yield document;
  }
}

function* candidates(reader: Reader, collection: CollectionDefinition, plan: Plan): Generator<Values> {
  switch (plan.access) {
    case 'ids':
      for (const id of plan.ids) {
        const bytes = reader.get('documents', documentKey(collection, id));
        if (bytes !== undefined) yield decode(bytes);
      }
      return;
    case 'documents':
      for (const { value } of reader.range('documents', plan.range)) yield decode(value);
      return;
    case 'index': {
      const seen = plan.repeats ? new Set<string>() : undefined;
      for (const range of plan.ranges)
        for (const { value } of reader.range('indexes', range)) {
          const id = value.toString('utf8');
          if (seen?.has(id)) continue;
          seen?.add(id);
          const bytes = reader.get('documents', documentKey(collection, id));
          if (bytes !== undefined) yield decode(bytes);
        }
    }
  }
}

/** The first document, for a write or a findOne. */
export function first(reader: Reader, query: Query, scanned?: (count: number) => void): Values | undefined {
  for (const document of run(reader, query, scanned)) if (document !== undefined) return document;
  return undefined;
}

export function everything(reader: Reader, query: Query, scanned?: (count: number) => void): Values[] {
  const documents: Values[] = [];
  for (const document of run(reader, query, scanned)) if (document !== undefined) documents.push(document);
  return documents;
}
