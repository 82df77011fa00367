/** For what goes through all of its matches: where they are many, one way through the documents is the shorter one. */
import { compile } from '../filter/predicate.js';
import type { Reader } from '../lmdb/environment.js';
import { testedMembers } from './members.js';
import type { Query } from './query.js';
import { wholeCollection } from './ranges.js';

/** To look a document up by its id takes this many times as long as to reach it on the way through all. */
const LOOKUP = 3;
/** Fewer are looked up whatever the collection holds: to count it takes longer. */
const FEW = 1_000;

/** `query` has no order. */
export function wholesale(reader: Reader, query: Query, filter: object): Query {
  const { collection, plan } = query;
  if (plan.access !== 'index') return query;
  let found = 0;
  for (const { range, single } of plan.runs) found += single ? 1 : reader.count('indexes', range);
  const range = wholeCollection(collection);
  if (found < FEW || found * LOOKUP < reader.count('documents', range)) return query;
  return {
    ...query,
    plan: { access: 'documents', range, all: true, ordered: true },
    matches: query.matches ?? compile(filter),
    tested: query.matches === undefined ? testedMembers(collection, filter) : query.tested,
  };
}
