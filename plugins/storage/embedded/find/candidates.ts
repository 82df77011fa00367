/**
 * The candidates of a plan: cached documents, the members that an index entry has, or bytes, which are valid until the
 * next read. Undefined now and then, when a search goes on without a result.
 */
import type { CollectionDefinition } from '../definition.js';
import { decode, readText } from '../../bson/decode.js';
import { CachedDocument } from '../lmdb/cache/cached-document.js';
import { documentKey, uniqueKey } from '../documents.js';
import type { Reader } from '../lmdb/environment.js';
import type { EntryPlace, Range, Walk } from '../lmdb/key-space.js';
import { CoveredDocument, type Cover } from './cover.js';
import type { IndexPlan, KeysPlan, Plan } from './plan.js';
import type { Run } from './runs.js';
import { intersect } from './intersect.js';
import { leap } from './leap.js';
import { membersOf, type Members } from '../../bson/shape.js';
import type { Values } from '../../bson/value.js';

/** The buffer extends past the document. */
export type Candidate = CachedDocument | CoveredDocument | Buffer;

/** The document, or at least these members of it; read-only. */
export function valuesOf(candidate: Candidate, members: Members): Values {
  if (candidate instanceof CachedDocument || candidate instanceof CoveredDocument) return candidate.document;
  return decode(candidate, members);
}

export function candidates(
  reader: Reader,
  collection: CollectionDefinition,
  plan: Plan,
): Iterable<Candidate | undefined> {
  switch (plan.access) {
    case 'ids':
      return lookUp(reader, collection, plan.ids);
    case 'index':
      return plan.cover === undefined
        ? lookUp(reader, collection, ids(reader, plan))
        : covered(reader, collection, plan, plan.cover);
    case 'keys':
      return lookUpKeys(reader, collection, plan);
    case 'documents':
      return plan.all ? whole(reader, collection, plan.range) : stored(reader.walk('documents', plan.range));
    case 'union':
      return union(reader, collection, plan.plans);
  }
}

/** The first candidate alone. */
export function firstCandidate(
  reader: Reader,
  collection: CollectionDefinition,
  plan: Plan,
): Candidate | undefined {
  if (plan.access === 'ids' && plan.ids.length === 1)
    return lookUpOne(reader, collection.number, plan.ids[0]!);
  if (plan.access === 'index' && plan.runs.length === 1 && plan.others === undefined) {
    const id = firstId(reader, plan.runs[0]!);
    return id === undefined ? undefined : lookUpOne(reader, collection.number, id);
  }
  for (const candidate of candidates(reader, collection, plan)) if (candidate !== undefined) return candidate;
  return undefined;
}

function firstId(reader: Reader, { range, single }: Run): string | undefined {
  if (single) {
    // A third of the time of a walk that finds one entry.
    const id = reader.get('indexes', range.start);
    return id && readText(id, 0, id.length);
  }
  const walk = reader.walk('indexes', range);
  const id = walk.step() ? readText(walk.bytes, 0, walk.length) : undefined;
  walk.end();
  return id;
}

function whole(reader: Reader, { number }: CollectionDefinition, range: Range): Iterable<Candidate> {
  const kept = reader.cache?.whole.get(number);
  if (kept === undefined) return collecting(reader, number, range);
  return range.reverse === true ? kept.toReversed() : kept;
}

function* collecting(reader: Reader, number: number, range: Range): Generator<Candidate, void> {
  const collected: CachedDocument[] | undefined = reader.cache?.whole.wants(number) ? [] : undefined;
  let bytes = 0;
  for (const document of stored(reader.walk('documents', range))) {
    const size = document.readInt32LE(0);
    bytes += size;
    if (collected === undefined) yield document;
    else {
      const decoded = new CachedDocument(decode(document), size);
      collected.push(decoded);
      yield decoded;
    }
  }
  // If a newer state was read meanwhile, there is no cache for this one.
  if (range.reverse === true) collected?.reverse();
  if (collected === undefined) reader.cache?.whole.wasRead(number, bytes);
  else reader.cache?.whole.keep(number, collected, bytes);
}

function* stored(walk: Walk): Generator<Buffer, void> {
  try {
    while (walk.step()) yield walk.bytes;
  } finally {
    walk.end();
  }
}

function* union(
  reader: Reader,
  collection: CollectionDefinition,
  plans: readonly Plan[],
): Generator<Candidate | undefined, void> {
  const seen = new Set<unknown>();
  let passed = 0;
  for (const plan of plans)
    for (const candidate of candidates(reader, collection, plan)) {
      const id = candidate === undefined ? undefined : valuesOf(candidate, ID)['_id'];
      if (id !== undefined && !seen.has(id)) {
        seen.add(id);
        yield candidate;
      } else if (candidate === undefined || ++passed % PASSED === 0) yield undefined;
    }
}

const ID = membersOf(['_id']);

/** Entries without a new document after which the walk yields. */
const PASSED = 256;

/** Longer ids cannot be restored from their keys. */
const LONGEST_CACHED_ID = 80;

function* lookUp(
  reader: Reader,
  { number }: CollectionDefinition,
  ids: Iterable<string | undefined>,
): Generator<Candidate | undefined, void> {
  // Missing documents yield undefined, so that the caller sees progress.
  for (const id of ids) yield id === undefined ? undefined : lookUpOne(reader, number, id);
}

function* lookUpKeys(
  reader: Reader,
  { number }: CollectionDefinition,
  { index, values }: KeysPlan,
): Generator<Candidate, void> {
  for (const value of values) {
    const known = reader.cache?.getByKey(number, index.number, value);
    if (known !== undefined) {
      yield known;
      continue;
    }
    const entry = reader.get('indexes', uniqueKey(index, value));
    if (entry === undefined) continue;
    const id = readText(entry, 0, entry.length);
    const candidate = lookUpOne(reader, number, id);
    if (candidate === undefined) continue;
    if (candidate instanceof CachedDocument) reader.cache?.addKey(index.number, value, candidate);
    yield candidate;
  }
}

function lookUpOne(reader: Reader, collection: number, id: string): Candidate | undefined {
  const cache = id.length > LONGEST_CACHED_ID ? undefined : reader.cache;
  const known = cache?.get(collection, id);
  if (known !== undefined) return known;
  const bytes = reader.peek('documents', documentKey(collection, id));
  if (bytes === undefined) return undefined;
  return cache?.add(collection, id, bytes.readInt32LE(0), () => decode(bytes)) ?? bytes;
}

/** The ids of index entries, without duplicates. */
function ids(reader: Reader, { merged, repeats, runs, others }: IndexPlan): Iterable<string | undefined> {
  if (others !== undefined) return intersect(reader, [...runs, ...others]);
  const all = merged ? merge(reader, runs) : idsOf(follow(reader, runs));
  return repeats ? once(all) : all;
}

/** The distinct ids that a plan finds, if fewer than `most`: counting them would take the same walk. */
export function idsOfFew(reader: Reader, plan: IndexPlan, most: number): string[] | undefined {
  const found: string[] = [];
  for (const id of ids(reader, plan)) {
    if (id === undefined || found.length === most) return undefined;
    found.push(id);
  }
  return found;
}

function* idsOf(entries: Iterable<EntryPlace>): Generator<string, void> {
  for (const entry of entries) yield readText(entry.bytes, 0, entry.length);
}

/** Documents restored from their index entries, or read if an entry does not suffice. */
function* covered(
  reader: Reader,
  { number }: CollectionDefinition,
  { runs }: IndexPlan,
  cover: Cover,
): Generator<Candidate, void> {
  for (const entry of follow(reader, runs)) {
    const document = cover.read(entry);
    if (document !== undefined) {
      yield new CoveredDocument(document, entry);
      continue;
    }
    const candidate = lookUpOne(reader, number, readText(entry.bytes, 0, entry.length));
    if (candidate !== undefined) yield candidate;
  }
}

function* once(ids: Iterable<string>): Generator<string | undefined, void> {
  const seen = new Set<string>();
  let passed = 0;
  for (const id of ids) {
    if (!seen.has(id)) {
      seen.add(id);
      yield id;
    } else if (++passed % PASSED === 0) yield undefined;
  }
}

/** The entries of the runs, one run after another. */
function follow(reader: Reader, runs: readonly Run[]): Iterable<EntryPlace> {
  const isLeaping = runs.length > 1 && runs.every(({ single, range }) => !single && range.reverse !== true);
  return isLeaping
    ? leap(
        reader,
        runs.map(({ range }) => range),
      )
    : inTurn(reader, runs);
}

function* inTurn(reader: Reader, runs: readonly Run[]): Generator<EntryPlace, void> {
  for (const { single, range } of runs) {
    if (single) {
      // A third of the time of a walk that finds one entry.
      const bytes = reader.get('indexes', range.start);
      if (bytes === undefined) continue;
      const { start: keyBytes } = range;
      yield { bytes, length: bytes.length, keyBytes, keyStart: 0, keyEnd: keyBytes.length };
      continue;
    }
    const walk = reader.walk('indexes', range);
    try {
      while (walk.step()) yield walk;
    } finally {
      walk.end();
    }
  }
}

/** The next entry of a run: its key after the common prefix. */
interface Head {
  readonly rest: Buffer;
  readonly id: string;
  readonly walk: Walk;
  readonly alike: number;
}

/** Merges all runs in the order of their keys after the common prefix. */
function* merge(reader: Reader, runs: readonly Run[]): Generator<string, void> {
  const direction = runs[0]?.range.reverse === true ? -1 : 1;
  const heads: Head[] = [];
  const advance = (walk: Walk, alike: number): void => {
    if (!walk.step()) return;
    const id = readText(walk.bytes, 0, walk.length);
    place(heads, { rest: walk.key.subarray(alike), id, walk, alike }, direction);
  };
  try {
    for (const { range, alike } of runs) advance(reader.walk('indexes', range), alike);
    for (let head = heads.pop(); head !== undefined; head = heads.pop()) {
      advance(head.walk, head.alike);
      yield head.id;
    }
  } finally {
    for (const { walk } of heads) walk.end();
  }
}

/** Inserts a head; the last one is the next in order. */
function place(heads: Head[], head: Head, direction: 1 | -1): void {
  let [low, high] = [0, heads.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Buffer.compare(heads[middle]!.rest, head.rest) * direction > 0) low = middle + 1;
    else high = middle;
  }
  heads.splice(low, 0, head);
}
