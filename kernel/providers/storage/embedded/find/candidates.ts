/** The documents that a plan leads to: decoded already, or as bytes, which are valid until anything else is read. */
import type { CollectionDefinition } from '../catalog.js';
import { decode, readText } from '../../bson/decode.js';
import { CachedDocument } from '../lmdb/document-cache.js';
import { documentKey, uniqueKey } from '../documents.js';
import type { Reader } from '../lmdb/environment.js';
import type { Walk } from '../lmdb/key-space.js';
import type { IndexPlan, KeysPlan, Plan, Run } from './plan.js';
import { membersOf } from '../../bson/shape.js';

/** The buffer goes on behind the document. */
export type Candidate = CachedDocument | Buffer;

export function candidates(
  reader: Reader,
  collection: CollectionDefinition,
  plan: Plan,
): Generator<Candidate, void> {
  switch (plan.access) {
    case 'ids':
      return lookUp(reader, collection, plan.ids);
    case 'index':
      return lookUp(reader, collection, ids(reader, plan));
    case 'keys':
      return lookUpKeys(reader, collection, plan);
    case 'documents':
      return stored(reader.walk('documents', plan.range));
    case 'union':
      return union(reader, collection, plan.plans);
  }
}

function* stored(walk: Walk): Generator<Candidate, void> {
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
): Generator<Candidate, void> {
  const seen = new Set<unknown>();
  for (const plan of plans)
    for (const candidate of candidates(reader, collection, plan)) {
      const { _id } = candidate instanceof CachedDocument ? candidate.document : decode(candidate, ID);
      if (seen.has(_id)) continue;
      seen.add(_id);
      yield candidate;
    }
}

const ID = membersOf(['_id']);

/** One query does not push out what others have left in the cache. */
const MOST_KEPT = 1000;
/** Longer ids are not known from their keys. */
const LONGEST_CACHED_ID = 80;

function* lookUp(
  reader: Reader,
  { number }: CollectionDefinition,
  ids: Iterable<string>,
): Generator<Candidate, void> {
  let kept = 0;
  for (const id of ids) {
    const known = cached(reader, number, id);
    const candidate = known ?? fetch(reader, number, id, kept < MOST_KEPT);
    if (candidate === undefined) continue;
    if (known === undefined && candidate instanceof CachedDocument) kept++;
    yield candidate;
  }
}

function* lookUpKeys(
  reader: Reader,
  { number }: CollectionDefinition,
  { index, values }: KeysPlan,
): Generator<Candidate, void> {
  let kept = 0;
  for (const value of values) {
    const known = reader.cache?.getByKey(number, index.number, value);
    if (known !== undefined) {
      yield known;
      continue;
    }
    const entry = reader.get('indexes', uniqueKey(index, value));
    if (entry === undefined) continue;
    const id = readText(entry, 0, entry.length);
    const candidate = cached(reader, number, id) ?? fetch(reader, number, id, kept < MOST_KEPT);
    if (candidate === undefined) continue;
    if (candidate instanceof CachedDocument && kept++ < MOST_KEPT)
      reader.cache?.addKey(index.number, value, candidate);
    yield candidate;
  }
}

function cached({ cache }: Reader, collection: number, id: string): CachedDocument | undefined {
  return id.length > LONGEST_CACHED_ID ? undefined : cache?.get(collection, id);
}

function fetch(reader: Reader, collection: number, id: string, keep: boolean): Candidate | undefined {
  const bytes = reader.peek('documents', documentKey(collection, id));
  if (bytes === undefined || !keep || id.length > LONGEST_CACHED_ID) return bytes;
  return reader.cache?.add(collection, id, bytes.readInt32LE(0), () => decode(bytes)) ?? bytes;
}

/** The ids in an index, each once. */
function ids(reader: Reader, { merged, repeats, runs }: IndexPlan): Iterable<string> {
  const all = merged ? merge(reader, runs) : follow(reader, runs);
  return repeats ? once(all) : all;
}

function* once(ids: Iterable<string>): Generator<string, void> {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) continue;
    seen.add(id);
    yield id;
  }
}

/** One run behind the other. */
function* follow(reader: Reader, runs: readonly Run[]): Generator<string, void> {
  for (const { range, single } of runs) {
    if (single) {
      // A third of the time of a walk that finds one entry.
      const id = reader.get('indexes', range.start);
      if (id !== undefined) yield readText(id, 0, id.length);
      continue;
    }
    const walk = reader.walk('indexes', range);
    try {
      while (walk.step()) yield readText(walk.bytes, 0, walk.length);
    } finally {
      walk.end();
    }
  }
}

/** The next entry of a run: what its key has behind the bytes that are alike. */
interface Head {
  readonly rest: Buffer;
  readonly id: string;
  readonly walk: Walk;
  readonly alike: number;
}

/** All runs at once, in the order of what follows the bytes that are alike. */
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

/** Puts a head among the others, of which the last one is the first in order. */
function place(heads: Head[], head: Head, direction: 1 | -1): void {
  let [low, high] = [0, heads.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Buffer.compare(heads[middle]!.rest, head.rest) * direction > 0) low = middle + 1;
    else high = middle;
  }
  heads.splice(low, 0, head);
}
