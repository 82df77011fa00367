/** For what goes through all of its matches: where they are many, one way through the documents is the shorter one. */
import type { CollectionDefinition } from '../definition.js';
import { compile } from '../filter/predicate.js';
import type { Reader } from '../lmdb/environment.js';
import { testedMembers } from './members.js';
import { scan } from './plan.js';
import type { Query } from './query.js';
import { wholeCollection } from './ranges.js';

/** To look a document up by its id takes this many times as long as to reach it on the way through all. */
const LOOKUP = 3;
/** Fewer are looked up whatever the collection holds: to count it takes longer. */
const FEW = 1_000;

/** Of a query whose plan does not give its order. */
export function wholesale(reader: Reader, query: Query): Query {
  const { collection, plan, sort, skip, limit } = query;
  // With an order all of them are looked at.
  const most = sort.length > 0 ? Infinity : skip + limit;
  if (plan.access !== 'index' || most < FEW) return query;
  let found = 0;
  for (const { range, single } of plan.runs) found += single ? 1 : reader.count('indexes', range);
  found = Math.min(found, most);
  return found < FEW || found * LOOKUP < documentsIn(reader, collection) ? query : throughDocuments(query);
}

/** The query by a way through all documents. */
export function throughDocuments(query: Query): Query {
  const { collection, filter, matches, tested, sort } = query;
  return {
    ...query,
    plan: scan(collection, sort),
    matches: matches ?? compile(filter),
    tested: matches === undefined ? testedMembers(collection, filter) : tested,
  };
}

/** Counting takes milliseconds where there are many, and an old number will do. */
const KEPT = 30_000;
const counted = new WeakMap<CollectionDefinition, { readonly count: number; readonly until: number }>();

function documentsIn(reader: Reader, collection: CollectionDefinition): number {
  const now = performance.now();
  let known = counted.get(collection);
  if (known === undefined || known.until < now) {
    known = { count: reader.count('documents', wholeCollection(collection)), until: now + KEPT };
    counted.set(collection, known);
  }
  return known.count;
}
