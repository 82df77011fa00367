/** Full scan: cheaper than index lookups when most documents match. */
import type { CollectionDefinition } from '../definition.js';
import { idsOfFew } from './candidates.js';
import { compile } from '../filter/predicate.js';
import type { Reader } from '../lmdb/environment.js';
import type { Range } from '../lmdb/key-space.js';
import { testedMembers } from './members.js';
import { scan } from './plan.js';
import type { Query } from './query.js';
import { wholeCollection } from './ranges.js';
import type { Run } from './runs.js';

/** The cost of reading a document by id, in steps of a full scan. */
const LOOKUP = 3;
/** Reading a covering entry takes this many times as long as reaching a decoded document. */
const READ = 4;
/** Fewer are looked up whatever the collection's size: counting it takes longer. */
const FEW = 1_000;

/** For a query whose plan does not provide its order. */
export function wholesale(reader: Reader, query: Query): Query {
  const { collection, plan, sort, skip, limit } = query;
  // With an order all matches are examined.
  const most = sort.length > 0 ? Infinity : skip + limit;
  if (plan.access !== 'index' || most < FEW) return query;
  const few = plan.cover === undefined ? idsOfFew(reader, plan, FEW) : undefined;
  if (few !== undefined) return { ...query, plan: { ...plan, access: 'ids', ids: few } };
  const ranges = [plan.runs, ...(plan.others ?? []).map((run) => [run])];
  const found = Math.min(...ranges.map((runs) => entriesIn(reader, collection, runs)), most);
  const lookup = plan.cover === undefined ? LOOKUP : READ;
  if (found < FEW) return query;
  const all = documentsIn(reader, collection);
  if (found * lookup < all) return query;
  if (plan.cover === undefined) return throughDocuments(query);
  // A scan of documents that are not decoded takes longer per document.
  const { whole } = reader.cache ?? {};
  const isBetter =
    whole?.has(collection.number) === true || whole?.readEntries(collection.number, found, all);
  return isBetter === true ? throughDocuments(query) : query;
}

/** Counting a run takes as long as reaching it: only some of many are counted. */
const COUNTED = 32;

function entriesIn(reader: Reader, collection: CollectionDefinition, runs: readonly Run[]): number {
  const step = Math.ceil(runs.length / COUNTED);
  let found = 0;
  let looked = 0;
  for (let at = 0; at < runs.length; at += step) {
    const { range, single } = runs[at]!;
    found += single ? 1 : entriesOf(reader, collection, range);
    looked += 1;
  }
  return Math.round((found * runs.length) / Math.max(looked, 1));
}

/** The query as a full scan. */
export function throughDocuments(query: Query): Query {
  const { collection, filter, matches, tested, sort } = query;
  return {
    ...query,
    plan: scan(collection, sort),
    matches: matches ?? compile(filter),
    tested: matches === undefined ? testedMembers(collection, filter) : tested,
  };
}

export function documentsIn(reader: Reader, collection: CollectionDefinition): number {
  return counted(collection, '', () => reader.count('documents', wholeCollection(collection)));
}

function entriesOf(reader: Reader, collection: CollectionDefinition, range: Range): number {
  const key = range.start.toString('latin1') + range.end.toString('latin1');
  return counted(collection, key, () => reader.count('indexes', range));
}

/** Counting takes milliseconds for many documents, and an old count will do. */
const KEPT = 30_000;
/** Of one collection. */
const MOST_KEPT = 256;
const known = new WeakMap<
  CollectionDefinition,
  Map<string, { readonly count: number; readonly until: number }>
>();

function counted(collection: CollectionDefinition, key: string, count: () => number): number {
  let counts = known.get(collection);
  if (counts === undefined) known.set(collection, (counts = new Map()));
  const now = performance.now();
  const before = counts.get(key);
  if (before !== undefined && before.until > now) return before.count;
  if (counts.size >= MOST_KEPT) counts.clear();
  const fresh = count();
  // Small counts are fast, and would evict the others.
  if (fresh >= FEW) counts.set(key, { count: fresh, until: now + KEPT });
  return fresh;
}
